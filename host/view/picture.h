/* SPDX-License-Identifier: GPL-2.0 */
/*
 * picture.h - kinds of pictures by the ending of a file's name; the one thing that a
 * name decides.
 */
#ifndef KMA_VIEW_PICTURE_H
#define KMA_VIEW_PICTURE_H

#include "scene.h"

struct kma_picture {
	const char *ending; /* ".svg" */
	/* Appends the whole file. */
	struct kma_err *(*write)(const struct kma_scene *scene, double width,
				 struct kma_strbuf *out);
};

/**
 * kma_picture_for() - the kind of picture that a file name asks for
 * @path: the name
 *
 * Return: the kind, NULL when there is none of its ending.
 */
const struct kma_picture *kma_picture_for(const char *path);

#endif /* KMA_VIEW_PICTURE_H */

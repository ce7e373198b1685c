/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.h - the ring chart as a picture: rings, legend, title, and a footer that
 * says where the numbers come from and what they leave out.
 */
#ifndef KMA_VIEW_RINGS_H
#define KMA_VIEW_RINGS_H

#include "../model/account.h"
#include "../tree/node.h"
#include "scene.h"

struct kma_rings {
	const struct kma_account *account; /* for its name and its losses */
	struct kma_node *branch;	   /* what to draw; gets sorted by @metric */
	enum kma_metric_id metric;	   /* what the angles mean */
	unsigned int rings;		   /* how many */
	const char *title;		   /* heading, NULL for one that fits */
	const char *release;		   /* of the kernel, "" when not known */
	bool has_source;		   /* files were looked up */
	uint64_t unresolved;		   /* live bytes of the account without a directory */
	size_t objects;			   /* whose static sizes are shown; 0: they are not */
};

/**
 * kma_rings_draw() - draw a ring chart
 * @rings: what to draw
 * @scene: not initialised; to be deinitialised in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_rings_draw(const struct kma_rings *rings, struct kma_scene *scene);

#endif /* KMA_VIEW_RINGS_H */

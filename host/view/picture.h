/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * picture.h - the kinds of picture files. The extension of a file's name selects the kind; nothing
 * else depends on a name.
 */
#ifndef KMA_VIEW_PICTURE_H
#define KMA_VIEW_PICTURE_H

#include "view/chart/chart.h"

struct kma_picture {
	const char *ending; /* ".svg" */
	/*
	 * Appends the whole file. @when is the time of the account in seconds since 1970. NULL:
	 * the picture is a page, which has more than a scene: a whole tree with all metrics
	 * (page/page.h), or numbers (page/figure.h).
	 */
	struct kma_err *(*draw)(const struct kma_scene *scene, double width, int64_t when,
				struct kma_strbuf *out);
};

/* Appends the whole file. */
struct kma_err *kma_picture_write(const struct kma_picture *picture, const struct kma_chart *chart,
				  struct kma_strbuf *out);

/* Finds the kind of a file by its name; the error lists the valid extensions. */
struct kma_err *kma_picture_for(const char *path, const struct kma_picture **ret);

#endif /* KMA_VIEW_PICTURE_H */

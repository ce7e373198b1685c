/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cairo.h - write a scene as PNG or PDF, by cairo.
 */
#ifndef KMA_VIEW_CHART_CAIRO_H
#define KMA_VIEW_CHART_CAIRO_H

#include "scene.h"

/* The version of cairo on this machine, "1.16.0"; NULL if it cannot be loaded. */
const char *kma_cairo_version(void);

/* @width is in pixels. */
struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out);

/*
 * One page of the picture's size, 96 pixels to an inch, with text that can be searched. @time is
 * the creation time to write, in seconds since 1970.
 */
struct kma_err *kma_pdf_write(const struct kma_scene *scene, double width, int64_t time,
			      struct kma_strbuf *out);

#endif /* KMA_VIEW_CHART_CAIRO_H */

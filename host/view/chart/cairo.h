/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cairo.h - write a scene as PNG or PDF, by cairo.
 */
#ifndef KMA_VIEW_CHART_CAIRO_H
#define KMA_VIEW_CHART_CAIRO_H

#include "scene.h"

/**
 * kma_cairo_version() - the version of cairo on this machine, "1.16.0"
 *
 * Return: the version, or NULL if cairo cannot be loaded.
 */
const char *kma_cairo_version(void);

/**
 * kma_png_write() - write a picture as PNG
 * @scene: the picture
 * @width: of the picture in pixels
 * @out: the file is appended
 */
struct kma_err *kma_png_write(const struct kma_scene *scene, double width, struct kma_strbuf *out);

/**
 * kma_pdf_write() - write a picture as PDF, one page of its size, with text that can be searched
 * @scene: the picture
 * @width: of the picture in pixels, 96 to an inch
 * @time: the creation time to write, in seconds since 1970
 * @out: the file is appended
 */
struct kma_err *kma_pdf_write(const struct kma_scene *scene, double width, int64_t time,
			      struct kma_strbuf *out);

#endif /* KMA_VIEW_CHART_CAIRO_H */

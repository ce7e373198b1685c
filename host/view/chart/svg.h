/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.h - write a scene as SVG.
 */
#ifndef KMA_VIEW_CHART_SVG_H
#define KMA_VIEW_CHART_SVG_H

#include "scene.h"

/* Appends the whole file; @width is in pixels. */
void kma_svg_write(const struct kma_scene *scene, double width, struct kma_strbuf *out);

/* Appends only the element svg, for a page, whose style may change @width. */
void kma_svg_element(const struct kma_scene *scene, double width, struct kma_strbuf *out);

#endif /* KMA_VIEW_CHART_SVG_H */

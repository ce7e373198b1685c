/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.h - write a scene as SVG.
 */
#ifndef KMA_VIEW_CHART_SVG_H
#define KMA_VIEW_CHART_SVG_H

#include "scene.h"

/**
 * kma_svg_write() - write a picture as SVG
 * @scene: the picture
 * @width: of the picture in pixels
 * @out: the file is appended
 */
void kma_svg_write(const struct kma_scene *scene, double width, struct kma_strbuf *out);

/**
 * kma_svg_element() - append only the element svg, for a page
 * @scene: the picture
 * @width: in pixels; the page's style may change it
 * @out: the element is appended
 */
void kma_svg_element(const struct kma_scene *scene, double width, struct kma_strbuf *out);

#endif /* KMA_VIEW_CHART_SVG_H */

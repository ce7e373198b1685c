/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * treemap.h - a squarified treemap.
 */
#ifndef KMA_VIEW_CHART_TREEMAP_H
#define KMA_VIEW_CHART_TREEMAP_H

#include "boxes.h"

/**
 * kma_treemap_init() - lay out a branch as a treemap
 * @boxes: owned by the caller
 * @root: rolled up and sorted by @params->metric; must outlive @boxes
 * @params: measures, copied
 *
 * Squarified: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000. A box of combined children
 * is the last one.
 *
 * @boxes has to be deinitialised.
 */
void kma_treemap_init(struct kma_boxes *boxes, const struct kma_node *root,
		      const struct kma_boxes_params *params);

/* Draw the branch as rectangles within rectangles. */
void kma_treemap_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_TREEMAP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * treemap.h - a squarified treemap.
 */
#ifndef KMA_VIEW_CHART_TREEMAP_H
#define KMA_VIEW_CHART_TREEMAP_H

#include "boxes.h"

/*
 * Squarified: Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000. A box of combined children is
 * the last one. @root is rolled up and sorted by @params->metric, and must outlive @boxes.
 */
void kma_treemap_init(struct kma_boxes *boxes, const struct kma_node *root,
		      const struct kma_boxes_params *params);

void kma_treemap_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_TREEMAP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * icicle.h - a chart of columns, one for each level (icicle.c).
 */
#ifndef KMA_VIEW_CHART_ICICLE_H
#define KMA_VIEW_CHART_ICICLE_H

#include "boxes.h"

/**
 * kma_icicle_init() - lay out a branch as columns, the branch itself the first
 * @boxes: owned by the caller
 * @root: rolled up and sorted by @params->metric; must outlive @boxes
 * @params: measures, copied
 *
 * @boxes has to be deinitialised.
 */
void kma_icicle_init(struct kma_boxes *boxes, const struct kma_node *root,
		     const struct kma_boxes_params *params);

/* Draw the branch as columns, one for each level. */
void kma_icicle_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_ICICLE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame.h - a chart of rows, one for each level, from the bottom up (flame.c).
 */
#ifndef KMA_VIEW_CHART_FLAME_H
#define KMA_VIEW_CHART_FLAME_H

#include "boxes.h"

/**
 * kma_flame_init() - lay out a branch as rows, the branch itself the lowest
 * @boxes: owned by the caller
 * @root: rolled up and sorted by @params->metric; must outlive @boxes
 * @params: measures, copied
 *
 * @boxes has to be deinitialised.
 */
void kma_flame_init(struct kma_boxes *boxes, const struct kma_node *root,
		    const struct kma_boxes_params *params);

/* Draw the branch as rows, one for each level. */
void kma_flame_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_FLAME_H */

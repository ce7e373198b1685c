/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legend.h - the legend of a picture.
 */
#ifndef KMA_VIEW_CHART_LEGEND_H
#define KMA_VIEW_CHART_LEGEND_H

#include "part.h"

/* Draws the largest owners and files; in a comparison, the largest changes. */
void kma_legend_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_LEGEND_H */

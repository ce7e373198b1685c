/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rings.h - a chart of rings.
 */
#ifndef KMA_VIEW_CHART_RINGS_H
#define KMA_VIEW_CHART_RINGS_H

#include "part.h"

void kma_rings_draw(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_RINGS_H */

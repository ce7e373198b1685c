/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * draw.h - makes the scene of a chart.
 */
#ifndef KMA_VIEW_CHART_DRAW_H
#define KMA_VIEW_CHART_DRAW_H

#include "chart.h"
#include "scene.h"

/**
 * kma_chart_draw() - draw a chart
 * @chart: what to draw
 * @scene: not initialised; to be deinitialised in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_draw(const struct kma_chart *chart, struct kma_scene *scene);

#endif /* KMA_VIEW_CHART_DRAW_H */

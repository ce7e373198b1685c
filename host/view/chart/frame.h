/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - the frame of a picture: where its parts are, heading and footer.
 */
#ifndef KMA_VIEW_CHART_FRAME_H
#define KMA_VIEW_CHART_FRAME_H

#include "canvas.h"

/**
 * kma_frame_choose() - places for a picture
 * @pixels: its width
 *
 * Return: the frame; of a narrow one footer and height depend on the legend and are set
 * when these are drawn.
 */
struct kma_chart_frame kma_frame_choose(double pixels);

/**
 * kma_frame_title() - heading, and what is shown
 * @canvas: the chart
 */
void kma_frame_title(struct kma_canvas *canvas);

/**
 * kma_frame_footer() - which kernel, and what is left out
 * @canvas: the chart; of a narrow one the height is set
 */
void kma_frame_footer(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_FRAME_H */

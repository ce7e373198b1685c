/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - the frame of a picture: the positions of its parts, the heading and the footer.
 */
#ifndef KMA_VIEW_CHART_FRAME_H
#define KMA_VIEW_CHART_FRAME_H

#include "part.h"

/*
 * The frame of a picture that is @pixels wide. In a narrow frame, footer and height depend on the
 * legend, and are set when the legend and the footer are drawn.
 */
struct kma_chart_frame kma_frame_choose(double pixels);

/* Draws the heading and the subject. */
void kma_frame_title(struct kma_canvas *canvas);

/* Draws the kernel, and what the numbers leave out. Sets the height of a narrow picture. */
void kma_frame_footer(struct kma_canvas *canvas);

#endif /* KMA_VIEW_CHART_FRAME_H */

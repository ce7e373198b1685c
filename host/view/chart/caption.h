/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caption.h - heading, subject and footer of a picture that is not a chart of a tree (frame.h
 * draws those of charts of trees).
 */
#ifndef KMA_VIEW_CHART_CAPTION_H
#define KMA_VIEW_CHART_CAPTION_H

#include "scene.h"

#define KMA_CAPTION_WIDTH  1600.0
#define KMA_CAPTION_HEIGHT 1000.0 /* width of most pictures */
#define KMA_CAPTION_FOOT   56.0	  /* height of the footer */

/*
 * Adds heading, subject (the line below it) and footer to a scene with a theme, KMA_CAPTION_WIDTH
 * units wide. Heading and subject are also the scene's title and description.
 */
void kma_caption_draw(struct kma_scene *scene, const char *title, const char *subject,
		      const char *footer);

#endif /* KMA_VIEW_CHART_CAPTION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-pen.h - lines of top's screen, drawn one below the other.
 */
#ifndef KMA_VIEW_SCREEN_TOP_PEN_H
#define KMA_VIEW_SCREEN_TOP_PEN_H

#include "grid.h"

struct kma_top_pen {
	struct kma_grid *grid;
	size_t y;    /* next line of the grid */
	size_t skip; /* number of lines that are not drawn, because they are scrolled away */
};

/**
 * kma_top_pen_down() - go to the next line
 * @pen: the pen
 * @ret_y: the line of the grid to draw
 *
 * Return: false if the line is scrolled away and must not be drawn.
 */
bool kma_top_pen_down(struct kma_top_pen *pen, size_t *ret_y);

/**
 * kma_top_write() - draw a line of text
 * @pen: the pen
 * @style: of the line
 * @text: from the first column
 */
void kma_top_write(struct kma_top_pen *pen, enum kma_grid_style style, const char *text);

#endif /* KMA_VIEW_SCREEN_TOP_PEN_H */

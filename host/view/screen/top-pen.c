// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-pen.c - lines of top's screen.
 */
#include "top-pen.h"

bool kma_top_pen_down(struct kma_top_pen *pen, size_t *ret_y)
{
	if (pen->skip) {
		pen->skip--;
		return false;
	}
	*ret_y = pen->y++;
	return true;
}

void kma_top_write(struct kma_top_pen *pen, enum kma_grid_style style, const char *text)
{
	size_t y;

	if (kma_top_pen_down(pen, &y))
		kma_grid_text(pen->grid, 0, y, pen->grid->columns, style, text);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grid.h - the content of a screen: lines of cells, each a character with a style. A view draws
 * into a grid, and the terminal shows the grid, so a view can be tested without a terminal.
 *
 * Nothing is drawn outside the grid: texts are cut at its edges.
 */
#ifndef KMA_VIEW_SCREEN_GRID_H
#define KMA_VIEW_SCREEN_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "lib/err.h"

enum kma_grid_style {
	KMA_GRID_PLAIN,
	KMA_GRID_TITLE, /* headings of columns */
	KMA_GRID_BOLD,
	KMA_GRID_FAINT,
	KMA_GRID_CHOSEN, /* the row that keys act on */
	KMA_GRID_RISING, /* numbers that grow */
	KMA_GRID_FALLING,
	KMA_GRID_ALARM, /* reasons why the numbers are incomplete */
	KMA_GRID_NR_STYLES,
};

struct kma_grid_cell {
	wchar_t text;
	enum kma_grid_style style;
};

struct kma_grid {
	size_t columns, lines;
	struct kma_grid_cell *cells; /* @lines rows of @columns cells */
};

/* Makes a grid of blanks. @grid is zeroed or was initialised before. */
void kma_grid_init(struct kma_grid *grid, size_t columns, size_t lines);

void kma_grid_deinit(struct kma_grid *grid);
void kma_grid_put(struct kma_grid *grid, size_t x, size_t y, enum kma_grid_style style,
		  wchar_t text);

/*
 * Draws a text from a cell to the right. "~" replaces the middle of a text longer than @width.
 * Bytes that are not printable ASCII are drawn as "?". Returns the number of columns that were
 * drawn.
 */
size_t kma_grid_text(struct kma_grid *grid, size_t x, size_t y, size_t width,
		     enum kma_grid_style style, const char *text);

/*
 * Draws a text at the right end of the field that begins at @x; one longer than @width is cut at
 * its end.
 */
void kma_grid_right(struct kma_grid *grid, size_t x, size_t y, size_t width,
		    enum kma_grid_style style, const char *text);

/* Sets the style of all cells of a line. */
void kma_grid_line(struct kma_grid *grid, size_t y, enum kma_grid_style style);

#endif /* KMA_VIEW_SCREEN_GRID_H */

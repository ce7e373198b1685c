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

/**
 * kma_grid_init() - make a grid of blanks
 * @grid: owned by the caller; was zeroed or initialised before
 * @columns: of the screen
 * @lines: of the screen
 */
void kma_grid_init(struct kma_grid *grid, size_t columns, size_t lines);

/* Free the cells. */
void kma_grid_deinit(struct kma_grid *grid);

/**
 * kma_grid_put() - draw one character
 * @grid: the grid
 * @x: column, from 0
 * @y: line, from 0
 * @style: of the cell
 * @text: the character
 */
void kma_grid_put(struct kma_grid *grid, size_t x, size_t y, enum kma_grid_style style,
		  wchar_t text);

/**
 * kma_grid_text() - draw a text to the right of a cell
 * @grid: the grid
 * @x: column of its first character
 * @y: line
 * @width: most columns; "~" replaces the middle of a longer text
 * @style: of the cells
 * @text: bytes that are not printable ASCII are drawn as "?"
 *
 * Return: the number of columns that were drawn.
 */
size_t kma_grid_text(struct kma_grid *grid, size_t x, size_t y, size_t width,
		     enum kma_grid_style style, const char *text);

/**
 * kma_grid_right() - draw a text that ends at a column
 * @grid: the grid
 * @x: first column of the field
 * @y: line
 * @width: columns of the field; a longer text is cut at its end
 * @style: of the cells
 * @text: as in kma_grid_text()
 */
void kma_grid_right(struct kma_grid *grid, size_t x, size_t y, size_t width,
		    enum kma_grid_style style, const char *text);

/**
 * kma_grid_line() - set the style of all cells of a line
 * @grid: the grid
 * @y: line
 * @style: of the cells
 */
void kma_grid_line(struct kma_grid *grid, size_t y, enum kma_grid_style style);

#endif /* KMA_VIEW_SCREEN_GRID_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * grid.c - the content of a screen.
 */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"

void kma_grid_init(struct kma_grid *grid, size_t columns, size_t lines)
{
	free(grid->cells);
	*grid = (struct kma_grid){ columns, lines,
				   kma_xcalloc(columns * lines + 1, sizeof(*grid->cells)) };
	for (size_t i = 0; i < columns * lines; i++)
		grid->cells[i].text = L' ';
}

void kma_grid_deinit(struct kma_grid *grid)
{
	free(grid->cells);
	*grid = (struct kma_grid){ 0 };
}

void kma_grid_put(struct kma_grid *grid, size_t x, size_t y, enum kma_grid_style style,
		  wchar_t text)
{
	if (x < grid->columns && y < grid->lines)
		grid->cells[y * grid->columns + x] = (struct kma_grid_cell){ text, style };
}

static wchar_t grid_char(char c)
{
	return c >= ' ' && c <= '~' ? (wchar_t)c : L'?';
}

size_t kma_grid_text(struct kma_grid *grid, size_t x, size_t y, size_t width,
		     enum kma_grid_style style, const char *text)
{
	size_t len = strlen(text), keep;

	if (x >= grid->columns)
		return 0;
	if (width > grid->columns - x)
		width = grid->columns - x;
	if (len <= width) {
		for (size_t i = 0; i < len; i++)
			kma_grid_put(grid, x + i, y, style, grid_char(text[i]));
		return len;
	}
	/* the start and the end of a name are more useful than its middle */
	keep = width / 2;
	for (size_t i = 0; i < width; i++) {
		const char c = i < keep ? text[i] : i > keep ? text[len - width + i] : '~';

		kma_grid_put(grid, x + i, y, style, grid_char(c));
	}
	return width;
}

void kma_grid_right(struct kma_grid *grid, size_t x, size_t y, size_t width,
		    enum kma_grid_style style, const char *text)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len && i < width; i++)
		kma_grid_put(grid, x + (len < width ? width - len : 0) + i, y, style,
			     grid_char(text[i]));
}

void kma_grid_line(struct kma_grid *grid, size_t y, enum kma_grid_style style)
{
	for (size_t x = 0; x < grid->columns && y < grid->lines; x++)
		grid->cells[y * grid->columns + x].style = style;
}

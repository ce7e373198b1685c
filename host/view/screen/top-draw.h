/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-draw.h - the screen of top as a grid.
 */
#ifndef KMA_VIEW_SCREEN_TOP_DRAW_H
#define KMA_VIEW_SCREEN_TOP_DRAW_H

#include "top.h"

/* The rows for a view state, as by kma_top_rows_init(). */
void kma_top_rows_of(struct kma_top_rows *rows, const struct kma_top_facts *facts,
		     const struct kma_top_state *state);

/*
 * @grid has the size of the screen, and is blank. The list is scrolled so that it contains the
 * cursor.
 */
void kma_top_draw(struct kma_grid *grid, const struct kma_top_facts *facts,
		  const struct kma_top_rows *rows, struct kma_top_state *state);

#endif /* KMA_VIEW_SCREEN_TOP_DRAW_H */

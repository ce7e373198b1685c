/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-draw.h - the screen of top as a grid.
 */
#ifndef KMA_VIEW_SCREEN_TOP_DRAW_H
#define KMA_VIEW_SCREEN_TOP_DRAW_H

#include "top.h"

/**
 * kma_top_rows_of() - make the rows for a view state
 * @rows: as in kma_top_rows_init()
 * @facts: the data
 * @state: the view state
 */
void kma_top_rows_of(struct kma_top_rows *rows, const struct kma_top_facts *facts,
		     const struct kma_top_state *state);

/**
 * kma_top_draw() - draw the screen
 * @grid: of the size of the screen, blank
 * @facts: the data
 * @rows: from kma_top_rows_of()
 * @state: the view state; the list is scrolled so that it contains the cursor
 */
void kma_top_draw(struct kma_grid *grid, const struct kma_top_facts *facts,
		  const struct kma_top_rows *rows, struct kma_top_state *state);

#endif /* KMA_VIEW_SCREEN_TOP_DRAW_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-draw.h - the screen of top as a grid.
 */
#ifndef KMA_VIEW_SCREEN_TOP_DRAW_H
#define KMA_VIEW_SCREEN_TOP_DRAW_H

#include "top.h"

/**
 * kma_top_rows_of() - make the rows that a state wants
 * @rows: as in kma_top_rows_init()
 * @facts: what is known
 * @state: what is wanted
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_top_rows_of(struct kma_top_rows *rows, const struct kma_top_facts *facts,
				const struct kma_top_state *state);

/**
 * kma_top_draw() - draw the screen
 * @grid: of the size of the screen, blank
 * @facts: what is known
 * @rows: from kma_top_rows_of()
 * @state: what is wanted; the list is moved so that the cursor is in it
 */
void kma_top_draw(struct kma_grid *grid, const struct kma_top_facts *facts,
		  const struct kma_top_rows *rows, struct kma_top_state *state);

#endif /* KMA_VIEW_SCREEN_TOP_DRAW_H */

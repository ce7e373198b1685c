/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-keys.h - the keys of top's screen.
 */
#ifndef KMA_VIEW_SCREEN_TOP_KEYS_H
#define KMA_VIEW_SCREEN_TOP_KEYS_H

#include "top.h"

/*
 * Changes the view state as a key requests: a character, or KMA_TOP_KEY_*. @rows are those on the
 * screen.
 */
void kma_top_key(struct kma_top_state *state, const struct kma_top_rows *rows, unsigned int key);

/*
 * Shows only rows that contain a text, or call sites that pass rules; "": all. If a rule is
 * invalid, nothing is filtered, the message says why, and false is returned.
 */
bool kma_top_set_filter(struct kma_top_state *state, const char *text);

/*
 * The same for a click. On a row it moves the cursor there; on the row of the cursor it opens its
 * directory or its details.
 */
void kma_top_click(struct kma_top_state *state, const struct kma_top_rows *rows, size_t x,
		   size_t y);

/* Item @i of the open menu, from 0; NULL after the last one. @title has its bytes if needed. */
const char *kma_top_menu_item(const struct kma_top_state *state, size_t i,
			      char title[KMA_TOP_TITLE]);

/* The keys of line @i of the help, from 0, and their effect; NULL after the last line. */
const char *kma_top_help(size_t i, const char **what);

/* The index of the row of the cursor; 0 if the row has disappeared. */
size_t kma_top_cursor(const struct kma_top_state *state, const struct kma_top_rows *rows);

#endif /* KMA_VIEW_SCREEN_TOP_KEYS_H */

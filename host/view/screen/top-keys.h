/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-keys.h - the keys of top's screen.
 */
#ifndef KMA_VIEW_SCREEN_TOP_KEYS_H
#define KMA_VIEW_SCREEN_TOP_KEYS_H

#include "top.h"

/**
 * kma_top_key() - change the view state as a key requests
 * @state: is changed
 * @rows: that are on the screen
 * @key: a character, or KMA_TOP_KEY_*
 */
void kma_top_key(struct kma_top_state *state, const struct kma_top_rows *rows, unsigned int key);

/*
 * Show only rows that contain a text, or call sites that pass rules; "": all. If a rule is invalid, nothing
 * is filtered, the message says why, and false is returned.
 */
bool kma_top_set_filter(struct kma_top_state *state, const char *text);

/**
 * kma_top_help() - walk the lines of the help
 * @i: number of the line, from 0
 * @what: the effect of the keys
 *
 * Return: the keys, NULL past the last line.
 */
const char *kma_top_help(size_t i, const char **what);

/**
 * kma_top_cursor() - find the row of the cursor
 * @state: the view state
 * @rows: that are on the screen
 *
 * Return: its index; 0 if the row has disappeared.
 */
size_t kma_top_cursor(const struct kma_top_state *state, const struct kma_top_rows *rows);

#endif /* KMA_VIEW_SCREEN_TOP_KEYS_H */

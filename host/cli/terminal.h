/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - a grid on a terminal, and keys from it, by ncursesw. Only what changed is
 * written.
 *
 * The terminal is left as it was found: at an end, at a suspension (Ctrl-Z), and by
 * kma_terminal_close() after a signal that the caller takes.
 */
#ifndef KMA_CLI_TERMINAL_H
#define KMA_CLI_TERMINAL_H

#include "view/screen/grid.h"

struct kma_terminal_screen;

/**
 * kma_terminal_open() - take the terminal of the standard output
 * @ret: to be closed with kma_terminal_close()
 *
 * Colours are used if the terminal has any and $NO_COLOR is not set (no-color.org).
 *
 * Return: NULL or an error: the type of the terminal is not known.
 */
struct kma_err *kma_terminal_open(struct kma_terminal_screen **ret);

/**
 * kma_terminal_close() - give the terminal back
 * @screen: from kma_terminal_open(); NULL is fine
 */
void kma_terminal_close(struct kma_terminal_screen *screen);

/**
 * kma_terminal_blank() - make a grid of the size that the terminal has now
 * @screen: from kma_terminal_open()
 * @grid: initialised, or zeroed
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_terminal_blank(const struct kma_terminal_screen *screen, struct kma_grid *grid);

/**
 * kma_terminal_show() - show a grid
 * @screen: from kma_terminal_open()
 * @grid: what to show
 */
void kma_terminal_show(struct kma_terminal_screen *screen, const struct kma_grid *grid);

/**
 * kma_terminal_key() - wait for a key
 * @screen: from kma_terminal_open()
 * @ms: so long at most; less than 0 is without an end
 * @ret: a character or KMA_TOP_KEY_*; 0: none, but the size of the terminal may be another
 *
 * Return: false if the terminal is gone.
 */
bool kma_terminal_key(struct kma_terminal_screen *screen, int ms, unsigned int *ret);

#endif /* KMA_CLI_TERMINAL_H */

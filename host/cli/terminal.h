/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - show a grid on a terminal and read keys from it, by ncursesw. Only cells that
 * changed are written.
 *
 * The terminal gets its former state back by kma_terminal_close() and during a suspension (Ctrl-Z).
 * Signals that end the program are handled by the caller, who then calls kma_terminal_close().
 */
#ifndef KMA_CLI_TERMINAL_H
#define KMA_CLI_TERMINAL_H

#include "view/screen/grid.h"

struct kma_terminal_screen;

/*
 * Prepares the terminal of the standard output. Keys are read from the standard input if it is a
 * terminal, else from /dev/tty. Colours are used if the terminal supports them and $NO_COLOR is not
 * set (no-color.org). It is an error if there is no terminal, or its type is unknown.
 */
struct kma_err *kma_terminal_open(struct kma_terminal_screen **ret);

/* Restores the terminal. NULL is fine. */
void kma_terminal_close(struct kma_terminal_screen *screen);

/* Makes an empty grid of the current size of the terminal. @grid may be zeroed. */
void kma_terminal_blank(const struct kma_terminal_screen *screen, struct kma_grid *grid);

void kma_terminal_show(struct kma_terminal_screen *screen, const struct kma_grid *grid);

/*
 * Waits up to @ms ms (less than 0: no limit) for a character or a KMA_TOP_KEY_*. 0: no key, but the
 * terminal's size may have changed. @x and @y are set to the place of KMA_TOP_KEY_CLICK. False if
 * the terminal has been closed.
 */
bool kma_terminal_key(struct kma_terminal_screen *screen, int ms, unsigned int *ret, size_t *x,
		      size_t *y);

#endif /* KMA_CLI_TERMINAL_H */

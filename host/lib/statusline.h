/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * statusline.h - a line on the terminal that is rewritten to show progress, and erased when the
 * command ends.
 *
 * Nothing is written if stderr is not a terminal, if the terminal cannot erase a line (TERM is dumb
 * or empty), or if another job owns the terminal. The line never wraps: if it is wider than the
 * terminal, only the whole fields that fit are shown, so that no number is truncated. The cursor
 * stays at the start of the line, so that other output overwrites it.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LIB_STATUSLINE_H
#define KMA_LIB_STATUSLINE_H

#include <stdbool.h>

/* Zeroed: no line is shown yet. */
struct kma_statusline {
	bool quiet; /* show no line */
	bool shown; /* a line is on the terminal */
};

/* @text has fields separated by ", ", in ASCII. */
void kma_statusline_show(struct kma_statusline *line, const char *text);

void kma_statusline_end(struct kma_statusline *line);

#endif /* KMA_LIB_STATUSLINE_H */

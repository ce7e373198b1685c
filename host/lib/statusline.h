/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * statusline.h - one line on the terminal, written anew again and again, for a person who
 * waits; gone when the command has ended.
 *
 * Nothing is written where stderr is no terminal, is one that cannot erase a line (TERM is
 * dumb or empty), or is in the hands of another job. The line never wraps: of one that is
 * wider than the terminal as many whole fields are shown as have room, so that no number is
 * cut. The cursor waits at its beginning, so that whatever else is written covers it.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LIB_STATUSLINE_H
#define KMA_LIB_STATUSLINE_H

#include <stdbool.h>

struct kma_statusline {
	bool on;    /* somebody looks */
	bool shown; /* there is a line on the terminal */
};

/**
 * kma_statusline_begin() - there may be a line from now on
 * @line: owned by the caller
 * @quiet: there shall be none
 */
void kma_statusline_begin(struct kma_statusline *line, bool quiet);

/**
 * kma_statusline_show() - write the line
 * @line: as begun
 * @text: fields with ", " between them, plain ASCII
 */
void kma_statusline_show(struct kma_statusline *line, const char *text);

/**
 * kma_statusline_end() - take it off the terminal
 * @line: as begun
 */
void kma_statusline_end(struct kma_statusline *line);

#endif /* KMA_LIB_STATUSLINE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fit.h - measure texts in columns of a terminal, and shorten those that are too wide. All texts
 * are the output of kma_escape_plain(): valid UTF-8 without control characters.
 */
#ifndef KMA_LIB_FIT_H
#define KMA_LIB_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "strbuf.h"

/* Two for a wide East Asian character, none for a combining one. */
size_t kma_fit_columns(const char *text);

/*
 * Appends a text in at most @columns columns. A long one keeps its start and its end, with "..."
 * between them, because names of functions and paths differ at both ends. With fewer than 8 columns
 * only the end is removed.
 */
void kma_fit_middle(struct kma_strbuf *sb, const char *text, size_t columns);

/*
 * Appends a paragraph in lines, each with a newline, broken between words; a word longer than
 * @columns is not broken. Returns the number of lines that a terminal of this width shows; 0
 * without a word.
 */
size_t kma_fit_wrap(struct kma_strbuf *sb, const char *text, size_t columns);

/* A column of a table that shall fit a terminal. */
struct kma_fit_column {
	size_t width;	/* in columns of the terminal */
	size_t longest; /* a text: width of its longest cell or title; 0: it must not be shortened */
	size_t gap;	/* blanks after the column */
	bool hidden;	/* not shown */
};

/*
 * Makes a table fit @most columns of the terminal, by the @width and @hidden of its columns, which
 * are given from left to right. Returns false, and changes nothing, if the table fits.
 *
 * First texts are shortened to 20 columns, the widest first. Then columns that must not be
 * shortened are hidden, from the right, except the first one; the texts get the space that this
 * leaves. Then texts are shortened to 8 columns.
 */
bool kma_fit_table(struct kma_fit_column *columns, size_t nr, size_t most);

#endif /* KMA_LIB_FIT_H */

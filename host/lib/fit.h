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

/**
 * kma_fit_columns() - measure a text
 * @text: UTF-8 without control characters
 *
 * Return: number of columns: two for a wide East Asian character, none for a combining one.
 */
size_t kma_fit_columns(const char *text);

/**
 * kma_fit_middle() - append a text, without its middle if it is too long
 * @sb: appended to
 * @text: UTF-8 without control characters
 * @columns: number of available columns
 *
 * The start and the end stay, with "..." between them, because names of functions and paths differ
 * at both ends. With fewer than 8 columns only the end is removed.
 */
void kma_fit_middle(struct kma_strbuf *sb, const char *text, size_t columns);

/**
 * kma_fit_wrap() - append a paragraph in lines, broken between words
 * @sb: appended to; the last line ends with a newline
 * @text: UTF-8 without control characters
 * @columns: number of available columns; a longer word is not broken
 *
 * Return: number of lines that a terminal of this width shows; 0 without a word.
 */
size_t kma_fit_wrap(struct kma_strbuf *sb, const char *text, size_t columns);

/* A column of a table that shall fit a terminal. */
struct kma_fit_column {
	size_t width;	/* in columns of the terminal */
	size_t longest; /* a text: width of its longest cell or title; 0: it must not be shortened */
	size_t gap;	/* blanks after the column */
	bool hidden;	/* not shown */
};

/**
 * kma_fit_table() - make a table as narrow as a terminal
 * @columns: from left to right; @width and @hidden are changed
 * @nr: number of columns
 * @most: columns of the terminal
 *
 * Texts are shortened to 20 columns, the widest first. Then columns that must not be shortened are
 * hidden, from the right, except the first one; the texts get the space that this leaves. Then texts
 * are shortened to 8 columns. A table that fits is not changed.
 *
 * Return: true if the table was too wide, so that texts must be shortened to their widths.
 */
bool kma_fit_table(struct kma_fit_column *columns, size_t nr, size_t most);

#endif /* KMA_LIB_FIT_H */

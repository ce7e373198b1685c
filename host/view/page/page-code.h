/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-code.h - names and numbers as the short texts of a page's data. Documentation/format/page.rst
 * describes them.
 */
#ifndef KMA_VIEW_PAGE_PAGE_CODE_H
#define KMA_VIEW_PAGE_PAGE_CODE_H

#include "lib/strbuf.h"

/* Small numbers are one letter. */
#define KMA_PAGE_LETTERS 62
extern const char kma_page_letters[];

/* A column of numbers while it is written: ":N" is N zeros. */
struct kma_page_column {
	struct kma_strbuf *out;
	const char *comma;
	uint64_t zeros;
};

/**
 * kma_page_key() - begin a member of a JSON object
 * @out: appended to; the first member has no comma before it
 * @key: name of the member
 */
void kma_page_key(struct kma_strbuf *out, const char *key);

/**
 * kma_page_name() - append a name to a list
 * @text: the list: a letter for what the name shares with the last one, and the rest of it
 * @last: the last name as written; becomes this one
 * @name: the name
 */
void kma_page_name(struct kma_strbuf *text, struct kma_strbuf *last, const char *name);

/**
 * kma_page_base36() - append a number
 * @out: appended to
 * @value: the number
 */
void kma_page_base36(struct kma_strbuf *out, uint64_t value);

/**
 * kma_page_column_begin() - begin a column as a JSON string
 * @out: appended to
 *
 * Return: the column, to be ended by kma_page_column_end().
 */
struct kma_page_column kma_page_column_begin(struct kma_strbuf *out);

/**
 * kma_page_column_add() - append a number to a column
 * @column: the column
 * @value: the number
 */
void kma_page_column_add(struct kma_page_column *column, uint64_t value);

/**
 * kma_page_column_end() - end a column
 * @column: from kma_page_column_begin()
 */
void kma_page_column_end(struct kma_page_column *column);

#endif /* KMA_VIEW_PAGE_PAGE_CODE_H */

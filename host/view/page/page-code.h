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
	uint64_t zeros;
};

/* A list of names while it is written: each "+" in the text is an offset and a size. */
struct kma_page_names {
	struct kma_strbuf text, last; /* the names so far, and the last of them */
	struct kma_strbuf offset_text, size_text;
	struct kma_page_column offsets, sizes;
	size_t nr;
};

/**
 * kma_page_key() - begin a member of a JSON object
 * @out: appended to; the first member has no comma before it
 * @key: name of the member
 */
void kma_page_key(struct kma_strbuf *out, const char *key);

/**
 * kma_page_names_begin() - begin a list of names
 * @names: filled in; stays where it is, and is to be ended by kma_page_names_end()
 */
void kma_page_names_begin(struct kma_page_names *names);

/**
 * kma_page_names_add() - append a name to a list
 * @names: the list: gets a letter for what the name shares with the last one, and the rest of it
 * @name: the name
 */
void kma_page_names_add(struct kma_page_names *names, const char *name);

/**
 * kma_page_names_sign() - append a sign to a list, in place of a name
 * @names: the list
 * @sign: "~" and what the reader of the list knows; the last name stays the last one
 */
void kma_page_names_sign(struct kma_page_names *names, const char *sign);

/**
 * kma_page_names_end() - write a list as a JSON array of three texts, and free it
 * @names: from kma_page_names_begin()
 * @out: appended to
 */
void kma_page_names_end(struct kma_page_names *names, struct kma_strbuf *out);

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

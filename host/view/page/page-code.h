/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-code.h - write names and numbers as the short texts of a page's data, which decode.js reads.
 * Documentation/format/page.rst describes them.
 *
 * A number has its last digit to base 64 and the digits before it to base 16, with other letters.
 * So the end of a number is visible and no separator is needed. A name shares a prefix with the
 * name before it, and its offset and size ("+0x1f/0x2c0") are numbers. The texts have no character
 * that JSON would escape, except in names.
 */
#ifndef KMA_VIEW_PAGE_PAGE_CODE_H
#define KMA_VIEW_PAGE_PAGE_CODE_H

#include "lib/strbuf.h"

/* Letters for numbers below 62. */
#define KMA_PAGE_LETTERS 62
extern const char kma_page_letters[];

/* A column of numbers while it is written: ":N" is N zeros. */
struct kma_page_column {
	struct kma_strbuf *out;
	uint64_t zeros; /* number of zeros that are not written yet */
};

/* A list of names while it is written: each "+" in the text is an offset and a size. */
struct kma_page_names {
	struct kma_strbuf text, last; /* the names so far, and the last of them */
	struct kma_strbuf offset_text, size_text;
	struct kma_page_column offsets, sizes; /* columns in these two texts */
	size_t nr;			       /* number of names */
};

/**
 * kma_page_key() - start a member of a JSON object
 * @out: a comma, unless it is the first member, and the name are appended
 * @key: name of the member
 */
void kma_page_key(struct kma_strbuf *out, const char *key);

/**
 * kma_page_names_begin() - start a list of names
 * @names: filled in; must not be moved or copied; to be ended by kma_page_names_end()
 */
void kma_page_names_begin(struct kma_page_names *names);

/**
 * kma_page_names_add() - append a name to a list
 * @names: the list; gets a letter for the length of the shared prefix, and the rest of the name
 * @name: the name
 */
void kma_page_names_add(struct kma_page_names *names, const char *name);

/**
 * kma_page_names_sign() - append a reference to a list, in place of a name
 * @names: the list; the next name shares a prefix with the last name, not with the reference
 * @sign: "~" and a number whose meaning the reader of the list knows
 */
void kma_page_names_sign(struct kma_page_names *names, const char *sign);

/**
 * kma_page_names_end() - write a list as a JSON array of three texts, and free it
 * @names: from kma_page_names_begin()
 * @out: the array is appended
 */
void kma_page_names_end(struct kma_page_names *names, struct kma_strbuf *out);

/**
 * kma_page_column_begin() - start a column as a JSON string
 * @out: the string is appended
 *
 * Return: the column, to be ended by kma_page_column_end().
 */
struct kma_page_column kma_page_column_begin(struct kma_strbuf *out);

/* Append a number to a column. */
void kma_page_column_add(struct kma_page_column *column, uint64_t value);

/* End a column. */
void kma_page_column_end(struct kma_page_column *column);

#endif /* KMA_VIEW_PAGE_PAGE_CODE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tabs.h - tables of the module's debugfs files: a line with name and version, a line "# " that
 * names the columns, and rows; one tab separates columns. Columns are found by name, because later
 * versions of the module append columns.
 */
#ifndef KMA_READER_TABS_H
#define KMA_READER_TABS_H

#include "input/cursor.h"

#define KMA_TABS_MAX 64 /* columns */

struct kma_tabs {
	struct kma_cursor cur;	   /* initialised by the caller */
	unsigned int nr;	   /* number of columns, from kma_tabs_header() */
	char *cells[KMA_TABS_MAX]; /* cells of the current line; they point into it */
};

/**
 * kma_tabs_header() - read the line with name and version, and the names of the columns
 * @in: the cursor is before the first line; @nr and @cells become those of the names
 * @name: name of the file and a blank: "kmem_account caches "
 * @version: the supported version
 */
struct kma_err *kma_tabs_header(struct kma_tabs *in, const char *name, unsigned int version);

/**
 * kma_tabs_names() - split the current line, which names the columns
 * @in: @nr and @cells become those of the names
 *
 * Return: NULL, or an error: the line does not begin with "# ", or has too many columns.
 */
struct kma_err *kma_tabs_names(struct kma_tabs *in);

/**
 * kma_tabs_find() - find a column by its name
 * @in: the names were just read
 * @name: name of the column
 *
 * Return: its index, or -1.
 */
int kma_tabs_find(const struct kma_tabs *in, const char *name);

/**
 * kma_tabs_row() - split the current line, a row
 * @in: @cells become those of the row
 *
 * Return: NULL, or an error: the row has another number of columns.
 */
struct kma_err *kma_tabs_row(struct kma_tabs *in);

/**
 * kma_tabs_number() - read a number of the current row
 * @in: the row was split
 * @column: index of the column
 * @name: name of the column, for the error
 * @ret: the number
 */
struct kma_err *kma_tabs_number(struct kma_tabs *in, int column, const char *name, uint64_t *ret);

#endif /* KMA_READER_TABS_H */

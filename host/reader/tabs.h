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

/*
 * Reads the first line, which has @name ("kmem_account caches ") and @version, and then the names
 * of the columns, into @cells.
 */
struct kma_err *kma_tabs_header(struct kma_tabs *in, const char *name, unsigned int version);

/*
 * Splits the current line, which names the columns. It is an error if it does not begin with "# ",
 * or has too many columns.
 */
struct kma_err *kma_tabs_names(struct kma_tabs *in);

/* The index of a column, just after the names were read; -1 if there is none. */
int kma_tabs_find(const struct kma_tabs *in, const char *name);

/* Splits the current line, a row; another number of columns is an error. */
struct kma_err *kma_tabs_row(struct kma_tabs *in);

/* Reads a number of the current row. @name is that of the column, for the error. */
struct kma_err *kma_tabs_number(struct kma_tabs *in, int column, const char *name, uint64_t *ret);

#endif /* KMA_READER_TABS_H */

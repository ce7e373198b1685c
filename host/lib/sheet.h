/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.h - rows with typed columns, written as a table for people, as CSV, as JSON, or as a table
 * of HTML. This is the only place that lays out a table, writes CSV and writes rows of JSON. The
 * word table in comments below includes HTML, except for widths and gaps.
 *
 * The cells are either stored (kma_sheet_text() and so on, row by row), or supplied by the callback
 * @cell during output, so that a sheet of a million rows takes no memory. The callback must return
 * the same cell each time: a table asks for each cell twice, to measure it and to write it.
 */
#ifndef KMA_LIB_SHEET_H
#define KMA_LIB_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cell.h"
#include "doc.h"

struct kma_sheet_column {
	const char *name;  /* in CSV and JSON; NULL: not shown there */
	const char *title; /* in a table; NULL: not shown there */
	enum kma_cell_kind kind;
	size_t width;	/* in a table: minimum, in columns of the terminal */
	size_t gap;	/* in a table: blanks after the column; 0 means 2 */
	bool fixed;	/* in a table: @width is used; a longer cell moves the rest of its row */
	bool left;	/* in a table: left-aligned, although it is a number */
	bool optional;	/* in JSON: an unknown cell is left out, instead of null */
	bool csv_only;	/* not in JSON */
	bool shortened; /* in a table: texts are shortened if lines are wider than the terminal */
};

/* A stored cell. */
struct kma_cell_kept {
	char *text;	 /* from malloc(); NULL: a number, or unknown */
	uint64_t number; /* in the unit of the column */
	bool none;	 /* unknown */
};

struct kma_sheet {
	const char *name;  /* of the list in JSON */
	const char *title; /* line above a table; NULL: none */
	const struct kma_sheet_column *columns;
	size_t nr_columns;
	enum kma_json_style style; /* of a row in JSON; KMA_JSON_LINES becomes KMA_JSON_INLINE */

	/* Fill in a cell, which is zeroed except for scratch. NULL: the cells are stored. */
	void (*cell)(const void *arg, size_t row, size_t column, struct kma_cell *ret);
	/* Add further members to the JSON object of a row. NULL: there are none. */
	void (*json)(const void *arg, size_t row, struct kma_json *json);
	const void *arg; /* passed to @cell and @json */
	size_t rows;	 /* number of rows, if @cell is set */
	size_t tail;	 /* number of rows after these that only a table has: sums */
	bool ranked; /* the first rows matter most: on a terminal those that do not fit are left out */

	struct kma_cell_kept *cells; /* stored row by row */
	size_t nr, room;	     /* cells in use, and allocated */
};

/*
 * Makes a sheet without rows, whose cells will be stored. @columns must outlive it. @name and
 * @title are as in struct kma_sheet.
 */
void kma_sheet_init(struct kma_sheet *sheet, const char *name, const char *title,
		    const struct kma_sheet_column *columns, size_t nr);

void kma_sheet_deinit(struct kma_sheet *sheet);

/*
 * Store the next cell, row by row. A text is copied, a number is in the unit of its column, and
 * none is an unknown value.
 */
void kma_sheet_text(struct kma_sheet *sheet, const char *text);
void kma_sheet_number(struct kma_sheet *sheet, uint64_t number);
void kma_sheet_none(struct kma_sheet *sheet);

/* Without the tail. */
static inline size_t kma_sheet_rows(const struct kma_sheet *sheet)
{
	return sheet->cell ? sheet->rows : sheet->nr / sheet->nr_columns;
}

/*
 * A table that is wider than @width of the document is made to fit: texts lose their middle, then
 * columns of numbers are left out from the right, which a line below the table names. If @lines of
 * the document is set, a ranked sheet ends with a line for the rows that do not fit. If columns are
 * marked as shortened, only these are made to fit. In JSON the rows are a list of objects.
 */
void kma_sheet_write(const struct kma_sheet *sheet, struct kma_doc *doc);

/*
 * Adds a row to the last sheet of a CSV document whose first cell is @text. The others are empty,
 * so that it adds nothing to a sum. Other formats get nothing.
 */
void kma_sheet_remark(struct kma_doc *doc, const char *text);

/*
 * Writes one row, which may be one of the tail, as the member @name of a JSON document. Other
 * formats get nothing.
 */
void kma_sheet_object(const struct kma_sheet *sheet, size_t row, const char *name,
		      struct kma_doc *doc);

#endif /* KMA_LIB_SHEET_H */

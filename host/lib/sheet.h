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

/**
 * kma_sheet_init() - make a sheet without rows, whose cells will be stored
 * @sheet: owned by the caller
 * @name: name of the list in JSON
 * @title: line above the table; NULL: none
 * @columns: columns of each row; must outlive the sheet
 * @nr: number of columns
 */
void kma_sheet_init(struct kma_sheet *sheet, const char *name, const char *title,
		    const struct kma_sheet_column *columns, size_t nr);

/* Free the cells. */
void kma_sheet_deinit(struct kma_sheet *sheet);

/**
 * kma_sheet_text() - store a text in the next cell
 * @sheet: the sheet
 * @text: the text, copied
 */
void kma_sheet_text(struct kma_sheet *sheet, const char *text);

/**
 * kma_sheet_number() - store a number in the next cell
 * @sheet: the sheet
 * @number: in the unit of its column
 */
void kma_sheet_number(struct kma_sheet *sheet, uint64_t number);

/* Store an unknown value in the next cell. */
void kma_sheet_none(struct kma_sheet *sheet);

/**
 * kma_sheet_rows() - count the rows
 * @sheet: the sheet
 *
 * Return: number of rows, without the tail.
 */
static inline size_t kma_sheet_rows(const struct kma_sheet *sheet)
{
	return sheet->cell ? sheet->rows : sheet->nr / sheet->nr_columns;
}

/**
 * kma_sheet_write() - write the rows of a sheet
 * @sheet: the sheet
 * @doc: document that is written to, in its format; in JSON the rows are a list of objects
 *
 * A table that is wider than @doc->width is made to fit: texts lose their middle, then columns of
 * numbers are left out from the right, which a line below the table names. If @doc->lines is set, a
 * ranked sheet ends with a line for the rows that do not fit. If columns are marked as shortened,
 * only these are made to fit.
 */
void kma_sheet_write(const struct kma_sheet *sheet, struct kma_doc *doc);

/**
 * kma_sheet_remark() - write a remark about the rows of the last sheet
 * @doc: document that is written to; nothing is written if it is not CSV
 * @text: first cell of a row whose other cells are empty, so that it adds nothing to a sum
 */
void kma_sheet_remark(struct kma_doc *doc, const char *text);

/**
 * kma_sheet_object() - write one row as a JSON object
 * @sheet: the sheet
 * @row: index of the row, which may be one of the tail
 * @name: name of the member
 * @doc: document that is written to; nothing is written if it is not JSON
 */
void kma_sheet_object(const struct kma_sheet *sheet, size_t row, const char *name,
		      struct kma_doc *doc);

#endif /* KMA_LIB_SHEET_H */

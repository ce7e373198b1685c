/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.h - rows with typed columns, as a table for people, as CSV, as JSON and as a table of HTML.
 * This is the only place that lays out a table, writes CSV and writes rows of JSON. What is said of
 * a table below is true of one in HTML, except for widths and gaps.
 *
 * The cells are either stored (kma_sheet_text() and so on, row by row) or supplied by the callback
 * @cell during output, which costs no memory for a sheet of a million rows.
 *
 * Adding a cell never reports an error: @failed remembers that memory ran out, and the
 * writers pass it on to the string that they write to.
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
	size_t width;	/* in a table: columns at least */
	size_t gap;	/* in a table: blanks after the column; 0 means 2 */
	bool fixed;	/* in a table: a longer cell moves its own row alone */
	bool left;	/* in a table: at the left, though it is a number */
	bool optional;	/* in JSON: left out if it is not known, instead of null */
	bool csv_only;	/* not in JSON */
	bool shortened; /* in a table: gives up columns if a line is wider than the terminal */
};

/* A stored cell. */
struct kma_cell_kept {
	char *text; /* of malloc(); NULL: a number, or not known */
	uint64_t number;
	bool none;
};

struct kma_sheet {
	const char *name;  /* of the list in JSON */
	const char *title; /* line above a table; NULL: none */
	const struct kma_sheet_column *columns;
	size_t nr_columns;
	enum kma_json_style style; /* of a row in JSON; lines are inline */

	/* Sets a cell, which is zeroed; NULL: the cells are stored. */
	void (*cell)(const void *arg, size_t row, size_t column, struct kma_cell *ret);
	/* Adds members to the JSON object of a row; NULL: there are no more. */
	void (*json)(const void *arg, size_t row, struct kma_json *json);
	const void *arg; /* of @cell and @json */
	size_t rows;	 /* if @cell is set */
	size_t tail;	 /* more rows, which a table alone has: sums */

	struct kma_cell_kept *cells; /* stored row by row */
	size_t nr, room;	     /* of @cells */
	bool failed;		     /* memory ran out */
};

/**
 * kma_sheet_init() - make a sheet without rows, whose cells will be stored
 * @sheet: owned by the caller
 * @name: name of the list in JSON
 * @title: line above the table; NULL: none
 * @columns: columns of each row; stay the caller's
 * @nr: how many columns
 */
void kma_sheet_init(struct kma_sheet *sheet, const char *name, const char *title,
		    const struct kma_sheet_column *columns, size_t nr);

/**
 * kma_sheet_deinit() - free the cells
 * @sheet: as initialised
 */
void kma_sheet_deinit(struct kma_sheet *sheet);

/**
 * kma_sheet_text() - store a text in the next cell
 * @sheet: the sheet
 * @text: copied
 */
void kma_sheet_text(struct kma_sheet *sheet, const char *text);

/**
 * kma_sheet_number() - store a number in the next cell
 * @sheet: the sheet
 * @number: in the unit of its column
 */
void kma_sheet_number(struct kma_sheet *sheet, uint64_t number);

/**
 * kma_sheet_none() - leave the next cell empty: it is not known
 * @sheet: the sheet
 */
void kma_sheet_none(struct kma_sheet *sheet);

/**
 * kma_sheet_rows() - count the rows
 * @sheet: the sheet
 *
 * Return: their number, without the tail.
 */
static inline size_t kma_sheet_rows(const struct kma_sheet *sheet)
{
	return sheet->cell ? sheet->rows : sheet->nr / sheet->nr_columns;
}

/**
 * kma_sheet_write() - write the rows of a sheet
 * @sheet: the sheet
 * @doc: where to, in its format; a list of objects in JSON
 */
void kma_sheet_write(const struct kma_sheet *sheet, struct kma_doc *doc);

/**
 * kma_sheet_object() - write one row as a JSON object
 * @sheet: the sheet
 * @row: number of the row, which may be one of the tail
 * @name: name of the member
 * @doc: where to; nothing is written in other formats
 */
void kma_sheet_object(const struct kma_sheet *sheet, size_t row, const char *name,
		      struct kma_doc *doc);

#endif /* KMA_LIB_SHEET_H */

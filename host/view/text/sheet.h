/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sheet.h - a list of rows with a few columns, for what is no list of owners: as a table
 * for people, and as csv and json with raw numbers.
 *
 * It never reports an error on adding; memory that ran out is known by kma_sheet_ok().
 */
#ifndef KMA_VIEW_TEXT_SHEET_H
#define KMA_VIEW_TEXT_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/strbuf.h"

enum kma_cell_kind {
	KMA_CELL_TEXT,
	KMA_CELL_COUNT,
	KMA_CELL_BYTES,
	KMA_CELL_NS,   /* "1.2 ms" in a table */
	KMA_CELL_TIME, /* ns as seconds with six digits in a table */
	KMA_CELL_HEX,
};

struct kma_sheet_column {
	const char *name;  /* in csv and json */
	const char *title; /* in a table; NULL: not shown there */
	enum kma_cell_kind kind;
};

struct kma_cell {
	char *text;
	uint64_t number;
	bool none; /* not known: empty, null, - */
};

struct kma_sheet {
	const char *name;  /* in json */
	const char *title; /* line above a table */
	const struct kma_sheet_column *columns;
	size_t nr_columns;
	struct kma_cell *cells; /* row by row */
	size_t nr, room;	/* of cells */
	bool failed;
};

/**
 * kma_sheet_init() - a sheet without rows
 * @sheet: owned by the caller
 * @name: what it is called
 * @title: line above the table
 * @columns: of each row; stay the caller's
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
 * kma_sheet_text() - the next cell
 * @sheet: the sheet
 * @text: copied
 */
void kma_sheet_text(struct kma_sheet *sheet, const char *text);

/**
 * kma_sheet_number() - the next cell
 * @sheet: the sheet
 * @number: in the unit of its column
 */
void kma_sheet_number(struct kma_sheet *sheet, uint64_t number);

/**
 * kma_sheet_none() - the next cell is not known
 * @sheet: the sheet
 */
void kma_sheet_none(struct kma_sheet *sheet);

/**
 * kma_sheet_rows() - how many rows there are
 * @sheet: the sheet
 *
 * Return: their number.
 */
static inline size_t kma_sheet_rows(const struct kma_sheet *sheet)
{
	return sheet->nr / sheet->nr_columns;
}

/**
 * kma_sheet_table() - for people
 * @sheet: the sheet
 * @bytes: numbers of bytes as they are
 * @out: appended to
 */
void kma_sheet_table(const struct kma_sheet *sheet, bool bytes, struct kma_strbuf *out);

/**
 * kma_sheet_csv() - with a line of names
 * @sheet: the sheet
 * @out: appended to
 */
void kma_sheet_csv(const struct kma_sheet *sheet, struct kma_strbuf *out);

/**
 * kma_sheet_json() - '"name": [ { ... }, ... ]', a member of an object
 * @sheet: the sheet
 * @out: appended to
 */
void kma_sheet_json(const struct kma_sheet *sheet, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_SHEET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cell.h - one cell of a sheet (sheet.h): how people read it, and how programs do.
 */
#ifndef KMA_LIB_CELL_H
#define KMA_LIB_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strbuf.h"
#include "units.h"

enum kma_cell_kind {
	KMA_CELL_TEXT, /* at the left in a table */
	KMA_CELL_WORD, /* at the right in a table */
	KMA_CELL_COUNT,
	KMA_CELL_BYTES,	  /* "1.2 KiB" in a table */
	KMA_CELL_NS,	  /* "123 us" in a table */
	KMA_CELL_NS_LONG, /* "123.4 us" in a table */
	KMA_CELL_MS,	  /* ns as "0.123", in ms, in a table */
	KMA_CELL_US,	  /* ns as "0.1", in us, in a table */
	KMA_CELL_TIME,	  /* ns as seconds with six digits in a table */
	KMA_CELL_HEX,	  /* "0x1f" in a table */
	KMA_CELL_SHARE,	  /* number of a whole: "12.3%" in a table, nowhere else */
	KMA_CELL_BAR,	  /* number of a whole: a bar in a table, nowhere else */
	KMA_CELL_CHANGE,  /* real, percent: "+1.2%" in a table, two digits elsewhere */
	KMA_CELL_PERCENT, /* real, percent: "1.23%" in a table, six digits elsewhere */
	KMA_CELL_TENTHS,  /* real, percent: "1.2%" in a table */
	KMA_NR_CELL_KINDS,
};

/* A text that is made for one cell. */
#define KMA_CELL_SCRATCH 160

struct kma_cell {
	const char *text;  /* of a text; in a table it also replaces a number, or none */
	uint64_t number;   /* in the unit of its column */
	uint64_t whole;	   /* of a share or a bar */
	double real;	   /* of the kinds that are real */
	char sign;	   /* '+' or '-' before the number; 0: none. '+' is for tables alone */
	bool none;	   /* not known: empty in CSV, null in JSON, - in a table */
	const char *after; /* follows the text in a table only; NULL: nothing */
	char scratch[KMA_CELL_SCRATCH]; /* @text or @after may point here */
};

/* Room for a number and its sign, as people read it. */
#define KMA_CELL_NUMBER (KMA_NUMBER_LEN + 1)

/**
 * kma_cell_is_text() - is a cell of this kind a text?
 * @kind: of the column
 *
 * Return: true if it is, false for all kinds of numbers.
 */
static inline bool kma_cell_is_text(enum kma_cell_kind kind)
{
	return kind == KMA_CELL_TEXT || kind == KMA_CELL_WORD;
}

/**
 * kma_cell_is_number() - do people read a number in a cell, not a text in its place?
 * @cell: the cell
 * @kind: of its column
 *
 * Return: whether kma_cell_number() writes the cell.
 */
bool kma_cell_is_number(const struct kma_cell *cell, enum kma_cell_kind kind);

/**
 * kma_cell_number() - write a number as people read it
 * @text: room for KMA_CELL_NUMBER bytes; not terminated
 * @cell: the cell, of which kma_cell_is_number() is true
 * @kind: of its column
 *
 * Return: bytes written.
 */
size_t kma_cell_number(char *text, const struct kma_cell *cell, enum kma_cell_kind kind);

/**
 * kma_cell_print() - append a cell as people read it
 * @cell: the cell
 * @kind: of its column
 * @width: of a bar, in columns of the terminal
 * @out: appended to; bytes that a terminal does not show are replaced
 */
void kma_cell_print(const struct kma_cell *cell, enum kma_cell_kind kind, size_t width,
		    struct kma_strbuf *out);

/**
 * kma_cell_raw() - append a number as programs read it
 * @cell: the cell
 * @kind: of its column, no text
 * @out: appended to
 */
void kma_cell_raw(const struct kma_cell *cell, enum kma_cell_kind kind, struct kma_strbuf *out);

#endif /* KMA_LIB_CELL_H */

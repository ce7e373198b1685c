/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cell.h - format one cell of a sheet (sheet.h): for people, in a table or in HTML ("1.2 KiB"), and
 * for programs, in CSV or JSON (1229). The kind of its column decides the form.
 */
#ifndef KMA_LIB_CELL_H
#define KMA_LIB_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strbuf.h"
#include "units.h"

enum kma_cell_kind {
	KMA_CELL_TEXT, /* a text, left-aligned in a table */
	KMA_CELL_WORD, /* a text, right-aligned in a table */
	KMA_CELL_COUNT,
	KMA_CELL_BYTES,	  /* "1.2 KiB" in a table */
	KMA_CELL_NS,	  /* "123 us" in a table */
	KMA_CELL_NS_LONG, /* "123.4 us" in a table */
	KMA_CELL_MS,	  /* ns as "0.123", in ms, in a table */
	KMA_CELL_US,	  /* ns as "0.1", in us, in a table */
	KMA_CELL_TIME,	  /* ns as seconds with six digits in a table */
	KMA_CELL_HEX,	  /* "0x1f" in a table */
	KMA_CELL_SHARE,	  /* number / whole as "12.3%", in a table only */
	KMA_CELL_BAR,	  /* number / whole as a bar, in a table only */
	KMA_CELL_CHANGE,  /* real, percent: "+1.2%" in a table, two digits elsewhere */
	KMA_CELL_PERCENT, /* real, percent: "1.23%" in a table, six digits elsewhere */
	KMA_CELL_TENTHS,  /* real, percent: "1.2%" in a table */
	KMA_NR_CELL_KINDS,
};

/* Bytes for a text that is made for one cell. */
#define KMA_CELL_SCRATCH 160

struct kma_cell {
	const char *text;  /* the text; in a table it also replaces a number, or "-" */
	uint64_t number;   /* in the unit of the column */
	uint64_t whole;	   /* KMA_CELL_SHARE and KMA_CELL_BAR: the whole */
	double real;	   /* value of the kinds that are real */
	char sign;	   /* '+' or '-' before the number; 0: none. '+' is shown in tables only */
	bool none;	   /* unknown: empty in CSV, null in JSON, "-" in a table */
	const char *after; /* follows the text in a table only; NULL: nothing */
	char scratch[KMA_CELL_SCRATCH]; /* @text or @after may point here */
};

/* Bytes for a number and its sign in the form for people. */
#define KMA_CELL_NUMBER (KMA_NUMBER_LEN + 1)

static inline bool kma_cell_is_text(enum kma_cell_kind kind)
{
	return kind == KMA_CELL_TEXT || kind == KMA_CELL_WORD;
}

/* Does the cell show a number, and not a text in its place? kma_cell_number() is only for these. */
bool kma_cell_is_number(const struct kma_cell *cell, enum kma_cell_kind kind);

/*
 * Writes the form for people to KMA_CELL_NUMBER bytes, without a terminator. Returns the bytes
 * written.
 */
size_t kma_cell_number(char *text, const struct kma_cell *cell, enum kma_cell_kind kind);

/*
 * Appends the form for people. @width is that of a whole bar, in columns of the terminal.
 * Characters without a glyph become "?".
 */
void kma_cell_print(const struct kma_cell *cell, enum kma_cell_kind kind, size_t width,
		    struct kma_strbuf *out);

/* Appends the form for programs, of a cell that is not a text. */
void kma_cell_raw(const struct kma_cell *cell, enum kma_cell_kind kind, struct kma_strbuf *out);

#endif /* KMA_LIB_CELL_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sheet.c - rows with typed columns: layout of tables, CSV, rows of JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleanup.h"
#include "escape.h"
#include "fit.h"
#include "sheet.h"
#include "units.h"

#define KMA_SHEET_GAP	2  /* blanks between columns */
#define KMA_SHEET_ROW	96 /* bytes that most rows take */
#define KMA_SHEET_FIELD 96 /* bytes of most columns with their gap */
#define KMA_SHEET_LEAST 8  /* columns that a text on a terminal has at least */

void kma_sheet_init(struct kma_sheet *sheet, const char *name, const char *title,
		    const struct kma_sheet_column *columns, size_t nr)
{
	*sheet = (struct kma_sheet){ .name = name,
				     .title = title,
				     .columns = columns,
				     .nr_columns = nr,
				     .style = KMA_JSON_SPACED };
}

void kma_sheet_deinit(struct kma_sheet *sheet)
{
	for (size_t i = 0; i < sheet->nr; i++)
		free(sheet->cells[i].text);
	free(sheet->cells);
	sheet->cells = NULL;
	sheet->nr = sheet->room = 0;
}

static void kma_sheet_add(struct kma_sheet *sheet, const struct kma_cell_kept *cell)
{
	size_t room = sheet->room ? sheet->room * 2 : 256;
	struct kma_cell_kept *cells;

	if (sheet->nr == sheet->room) {
		cells = reallocarray(sheet->cells, room, sizeof(*cells));
		if (!cells) {
			sheet->failed = true;
			free(cell->text);
			return;
		}
		sheet->cells = cells;
		sheet->room = room;
	}
	sheet->cells[sheet->nr++] = *cell;
}

void kma_sheet_text(struct kma_sheet *sheet, const char *text)
{
	struct kma_cell_kept cell = { .text = strdup(text) };

	sheet->failed |= !cell.text;
	kma_sheet_add(sheet, &cell);
}

void kma_sheet_number(struct kma_sheet *sheet, uint64_t number)
{
	kma_sheet_add(sheet, &(struct kma_cell_kept){ .number = number });
}

void kma_sheet_none(struct kma_sheet *sheet)
{
	kma_sheet_add(sheet, &(struct kma_cell_kept){ .none = true });
}

static void kma_sheet_cell(const struct kma_sheet *sheet, size_t row, size_t column,
			   struct kma_cell *ret)
{
	const struct kma_cell_kept *kept;

	memset(ret, 0, offsetof(struct kma_cell, scratch));
	if (sheet->cell) {
		sheet->cell(sheet->arg, row, column, ret);
		return;
	}
	kept = &sheet->cells[row * sheet->nr_columns + column];
	ret->text = kept->text;
	ret->number = kept->number;
	ret->none = kept->none;
}

/*
 * Kinds of cells: how people read them and how programs do. A function appends to a buffer of
 * KMA_NUMBER_LEN bytes and returns the length; NULL: the number as it is.
 */

static size_t kma_cell_count(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_COUNT);
}

static size_t kma_cell_bytes(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_BYTES);
}

static size_t kma_cell_ns_long(char *text, const struct kma_cell *cell)
{
	return kma_units_text(text, cell->number, KMA_UNIT_NS);
}

static size_t kma_cell_ns(char *text, const struct kma_cell *cell)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = cell->number;
	size_t unit = 0;

	while (value >= 1000 && unit < ARRAY_SIZE(units) - 1) {
		value /= 1000;
		unit++;
	}
	return snprintf(text, KMA_NUMBER_LEN, "%.*f %s", unit && value < 100 ? 1 : 0, value,
			units[unit]);
}

static size_t kma_cell_ms(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%.3f", cell->number / 1e6);
}

static size_t kma_cell_us(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%.1f", cell->number / 1e3);
}

static size_t kma_cell_time(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "%" PRIu64 ".%06" PRIu64, cell->number / 1000000000,
			cell->number / 1000 % 1000000);
}

static size_t kma_cell_hex(char *text, const struct kma_cell *cell)
{
	return snprintf(text, KMA_NUMBER_LEN, "0x%" PRIx64, cell->number);
}

static size_t kma_cell_share(char *text, const struct kma_cell *cell)
{
	return strlen(kma_percent_format(text, KMA_NUMBER_LEN, cell->number, cell->whole));
}

/* A real number is as long as it is: a change from 1 byte to 16 EiB has 22 digits. */
static size_t kma_cell_real(char *text, const char *format, double real)
	__attribute__((format(printf, 2, 0)));

static size_t kma_cell_real(char *text, const char *format, double real)
{
	int len = snprintf(text, KMA_NUMBER_LEN, format, real);

	return len < KMA_NUMBER_LEN ? len : KMA_NUMBER_LEN - 1;
}

static size_t kma_cell_change(char *text, const struct kma_cell *cell)
{
	return kma_cell_real(text, "%+.1f%%", cell->real);
}

static size_t kma_cell_change_raw(char *text, const struct kma_cell *cell)
{
	return kma_cell_real(text, "%.2f", cell->real);
}

static size_t kma_cell_percent(char *text, const struct kma_cell *cell)
{
	return kma_cell_real(text, "%.2f%%", cell->real);
}

static size_t kma_cell_percent_raw(char *text, const struct kma_cell *cell)
{
	return kma_cell_real(text, "%.6f", cell->real);
}

static size_t kma_cell_tenths(char *text, const struct kma_cell *cell)
{
	return kma_cell_real(text, "%.1f%%", cell->real);
}

static const struct {
	size_t (*people)(char *text, const struct kma_cell *cell);
	size_t (*raw)(char *text, const struct kma_cell *cell);
} kma_cell_forms[KMA_NR_CELL_KINDS] = {
	[KMA_CELL_COUNT] = { kma_cell_count, NULL },
	[KMA_CELL_BYTES] = { kma_cell_bytes, NULL },
	[KMA_CELL_NS] = { kma_cell_ns, NULL },
	[KMA_CELL_NS_LONG] = { kma_cell_ns_long, NULL },
	[KMA_CELL_MS] = { kma_cell_ms, NULL },
	[KMA_CELL_US] = { kma_cell_us, NULL },
	[KMA_CELL_TIME] = { kma_cell_time, NULL },
	[KMA_CELL_HEX] = { kma_cell_hex, NULL },
	[KMA_CELL_SHARE] = { kma_cell_share, NULL },
	[KMA_CELL_CHANGE] = { kma_cell_change, kma_cell_change_raw },
	[KMA_CELL_PERCENT] = { kma_cell_percent, kma_cell_percent_raw },
	[KMA_CELL_TENTHS] = { kma_cell_tenths, kma_cell_change_raw },
};

static bool kma_cell_is_text(enum kma_cell_kind kind)
{
	return kind == KMA_CELL_TEXT || kind == KMA_CELL_WORD;
}

/* Whether a column is at the left. */
static bool kma_column_left(const struct kma_sheet_column *column)
{
	return column->kind == KMA_CELL_TEXT || column->kind == KMA_CELL_BAR || column->left;
}

static bool kma_column_in_table(const struct kma_sheet_column *column)
{
	return column->title;
}

/* The bar of a share, a column of the terminal for each part of the column's width. */
static void kma_cell_bar(const struct kma_cell *cell, size_t width, struct kma_strbuf *out)
{
	size_t len = cell->whole ? (__uint128_t)cell->number * width / cell->whole : 0;

	for (size_t i = 0; i < len && i < width; i++)
		kma_strbuf_add(out, "#", 1);
}

/* The kind in which a number is shown: plain if the user selected plain numbers. */
static enum kma_cell_kind kma_cell_kind_shown(enum kma_cell_kind kind, const struct kma_doc *doc)
{
	return doc->bytes && (kind == KMA_CELL_BYTES || kind == KMA_CELL_NS_LONG) ? KMA_CELL_COUNT :
										    kind;
}

/* Whether people read a number in a cell, not a text in its place. */
static bool kma_cell_is_number(const struct kma_cell *cell, enum kma_cell_kind kind)
{
	return kma_cell_forms[kind].people && !cell->none && !cell->text;
}

/* A number as people read it; @text has KMA_NUMBER_LEN bytes and one for the sign. */
static size_t kma_cell_number(char *text, const struct kma_cell *cell, enum kma_cell_kind kind)
{
	*text = cell->sign;
	return kma_cell_forms[kind].people(text + !!cell->sign, cell) + !!cell->sign;
}

/* A cell as people read it. */
static void kma_cell_print(const struct kma_cell *cell, const struct kma_sheet_column *column,
			   const struct kma_doc *doc, struct kma_strbuf *out)
{
	enum kma_cell_kind kind = kma_cell_kind_shown(column->kind, doc);
	char number[KMA_NUMBER_LEN + 1];

	if (kind == KMA_CELL_BAR) {
		kma_cell_bar(cell, column->width, out);
	} else if (kma_cell_is_number(cell, kind)) {
		kma_strbuf_add(out, number, kma_cell_number(number, cell, kind));
	} else if (cell->none && !cell->text) {
		kma_strbuf_add(out, "-", 1);
	} else {
		kma_escape_plain(out, cell->text ?: "");
		if (cell->after)
			kma_escape_plain(out, cell->after);
	}
}

/* A number as programs read it. */
static void kma_cell_raw(const struct kma_cell *cell, enum kma_cell_kind kind,
			 struct kma_strbuf *out)
{
	char number[KMA_NUMBER_LEN];

	if (cell->sign == '-')
		kma_strbuf_add(out, "-", 1);
	if (kma_cell_forms[kind].raw)
		kma_strbuf_add(out, number, kma_cell_forms[kind].raw(number, cell));
	else
		kma_strbuf_u64(out, cell->number);
}

/* A table: its columns, as wide as their longest cell. */
struct kma_table {
	const struct kma_sheet *sheet;
	struct kma_doc *doc;
	size_t *widths;
	size_t last;		/* the last column that is shown */
	struct kma_strbuf text; /* of one cell */
};

static size_t kma_table_gap(const struct kma_table *table, size_t column)
{
	if (column == table->last)
		return 0;
	return table->sheet->columns[column].gap ?: KMA_SHEET_GAP;
}

static void kma_strbuf_blanks(struct kma_strbuf *out, size_t nr)
{
	static const char blanks[] = "                                ";

	for (; nr > strlen(blanks); nr -= strlen(blanks))
		kma_strbuf_add(out, blanks, strlen(blanks));
	kma_strbuf_add(out, blanks, nr);
}

/* Whether the width of a column is that of its longest cell. The last text needs none. */
static bool kma_table_measured(const struct kma_table *table, size_t column)
{
	const struct kma_sheet_column *c = &table->sheet->columns[column];

	return kma_column_in_table(c) && !c->fixed && !(c->shortened && table->doc->width) &&
	       !(column == table->last && kma_column_left(c));
}

/* Bytes of a cell. Most cells are numbers whose length is known without writing them. */
static size_t kma_table_len(struct kma_table *table, size_t row, size_t column)
{
	static const enum kma_unit units[KMA_NR_CELL_KINDS] = {
		[KMA_CELL_COUNT] = KMA_UNIT_COUNT,
		[KMA_CELL_BYTES] = KMA_UNIT_BYTES,
		[KMA_CELL_NS_LONG] = KMA_UNIT_NS,
	};
	const struct kma_sheet_column *c = &table->sheet->columns[column];
	enum kma_cell_kind kind = kma_cell_kind_shown(c->kind, table->doc);
	struct kma_cell cell;

	kma_sheet_cell(table->sheet, row, column, &cell);
	if ((kind == KMA_CELL_COUNT || kind == KMA_CELL_BYTES || kind == KMA_CELL_NS_LONG) &&
	    kma_cell_is_number(&cell, kind))
		return kma_units_len(cell.number, units[kind]) + !!cell.sign;
	table->text.len = 0;
	kma_cell_print(&cell, c, table->doc, &table->text);
	return table->text.len;
}

static void kma_table_measure(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	size_t rows = kma_sheet_rows(sheet) + sheet->tail, len;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		table->widths[j] = column->width;
		if (!kma_column_in_table(column))
			continue;
		table->last = j;
		if (!column->fixed && strlen(column->title) > table->widths[j])
			table->widths[j] = strlen(column->title);
	}
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < sheet->nr_columns; j++) {
			if (!kma_table_measured(table, j))
				continue;
			len = kma_table_len(table, i, j);
			if (len > table->widths[j])
				table->widths[j] = len;
		}
	}
}

/* On a terminal: the columns that are left for a text that can be shortened. */
static void kma_table_fit(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	size_t others = 0;

	if (!table->doc->width)
		return;
	for (size_t j = 0; j < sheet->nr_columns; j++)
		if (kma_column_in_table(&sheet->columns[j]) && !sheet->columns[j].shortened)
			others += table->widths[j] + kma_table_gap(table, j);
	for (size_t j = 0; j < sheet->nr_columns; j++)
		if (sheet->columns[j].shortened)
			table->widths[j] = table->doc->width > others + KMA_SHEET_LEAST ?
						   table->doc->width - others :
						   KMA_SHEET_LEAST;
}

/* Writes table->text into its column. */
static void kma_table_field(struct kma_table *table, size_t column)
{
	const struct kma_sheet_column *c = &table->sheet->columns[column];
	const char *text = table->text.str ?: "";
	struct kma_strbuf *out = table->doc->out;
	size_t width = table->widths[column], len = table->text.len;
	size_t pad = width > len ? width - len : 0;
	bool left = kma_column_left(c), last = column == table->last;

	if (!left)
		kma_strbuf_blanks(out, pad);
	if (c->shortened && table->doc->width)
		kma_fit_middle(out, text, width);
	else
		kma_strbuf_add(out, text, len);
	if (left && !last)
		kma_strbuf_blanks(out, pad);
	kma_strbuf_blanks(out, kma_table_gap(table, column));
}

/* A number at the right with its gap, at once. */
static void kma_table_number(struct kma_table *table, const struct kma_cell *cell, size_t column)
{
	enum kma_cell_kind kind =
		kma_cell_kind_shown(table->sheet->columns[column].kind, table->doc);
	char number[KMA_NUMBER_LEN + 1], field[KMA_SHEET_FIELD];
	size_t len = kma_cell_number(number, cell, kind), gap = kma_table_gap(table, column);
	size_t pad = table->widths[column] > len ? table->widths[column] - len : 0;

	if (pad + len + gap > sizeof(field)) {
		kma_strbuf_blanks(table->doc->out, pad);
		kma_strbuf_add(table->doc->out, number, len);
		kma_strbuf_blanks(table->doc->out, gap);
		return;
	}
	memset(field, ' ', pad);
	memcpy(field + pad, number, len);
	memset(field + pad + len, ' ', gap);
	kma_strbuf_add(table->doc->out, field, pad + len + gap);
}

static void kma_table_row(struct kma_table *table, size_t row)
{
	const struct kma_sheet *sheet = table->sheet;
	struct kma_cell cell;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		if (!kma_column_in_table(column))
			continue;
		kma_sheet_cell(sheet, row, j, &cell);
		if (!kma_column_left(column) && kma_cell_is_number(&cell, column->kind)) {
			kma_table_number(table, &cell, j);
			continue;
		}
		table->text.len = 0;
		kma_cell_print(&cell, column, table->doc, &table->text);
		kma_table_field(table, j);
	}
	kma_strbuf_add(table->doc->out, "\n", 1);
}

static void kma_table_head(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		if (!kma_column_in_table(&sheet->columns[j]))
			continue;
		table->text.len = 0;
		kma_strbuf_puts(&table->text, sheet->columns[j].title);
		kma_table_field(table, j);
	}
	kma_strbuf_add(table->doc->out, "\n", 1);
}

static void kma_sheet_table(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	_cleanup_free_ size_t *widths = calloc(sheet->nr_columns, sizeof(*widths));
	struct kma_table table = { .sheet = sheet, .doc = doc, .widths = widths };
	size_t rows = kma_sheet_rows(sheet) + sheet->tail;

	if (!widths) {
		doc->out->failed = true;
		return;
	}
	if (sheet->title)
		kma_strbuf_printf(doc->out, "%s\n", sheet->title);
	kma_table_measure(&table);
	kma_table_fit(&table);
	kma_table_head(&table);
	for (size_t i = 0; i < rows; i++)
		kma_table_row(&table, i);
	doc->out->failed |= table.text.failed;
	kma_strbuf_deinit(&table.text);
}

static void kma_sheet_csv_text(const struct kma_doc *doc, const char *text)
{
	if (doc->csv_safe)
		kma_escape_csv_safe(doc->out, text);
	else
		kma_escape_csv(doc->out, text);
}

static void kma_sheet_csv(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	const char *comma = "";
	struct kma_cell cell;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		if (!sheet->columns[j].name)
			continue;
		kma_strbuf_puts(doc->out, comma);
		kma_sheet_csv_text(doc, sheet->columns[j].name);
		comma = ",";
	}
	kma_strbuf_add(doc->out, "\n", 1);
	for (size_t i = 0; i < kma_sheet_rows(sheet); i++) {
		comma = "";
		for (size_t j = 0; j < sheet->nr_columns; j++) {
			enum kma_cell_kind kind = sheet->columns[j].kind;

			if (!sheet->columns[j].name)
				continue;
			kma_strbuf_puts(doc->out, comma);
			comma = ",";
			kma_sheet_cell(sheet, i, j, &cell);
			if (cell.none)
				continue;
			if (kma_cell_is_text(kind))
				kma_sheet_csv_text(doc, cell.text ?: "");
			else
				kma_cell_raw(&cell, kind, doc->out);
		}
		kma_strbuf_add(doc->out, "\n", 1);
	}
}

static void kma_sheet_json_row(const struct kma_sheet *sheet, size_t row, const char *name,
			       struct kma_json *json)
{
	struct kma_cell cell;

	kma_json_begin(json, name, '{', sheet->style ?: KMA_JSON_INLINE);
	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		if (!column->name || column->csv_only)
			continue;
		kma_sheet_cell(sheet, row, j, &cell);
		if (cell.none && column->optional)
			continue;
		if (kma_cell_is_text(column->kind) && !cell.none) {
			kma_json_text(json, column->name, cell.text ?: "");
			continue;
		}
		kma_json_name(json, column->name);
		if (cell.none)
			kma_strbuf_puts(json->out, "null");
		else
			kma_cell_raw(&cell, column->kind, json->out);
	}
	if (sheet->json)
		sheet->json(sheet->arg, row, json);
	kma_json_end(json);
}

void kma_sheet_object(const struct kma_sheet *sheet, size_t row, const char *name,
		      struct kma_doc *doc)
{
	if (doc->format == KMA_FORMAT_JSON)
		kma_sheet_json_row(sheet, row, name, &doc->json);
}

static void kma_sheet_json(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	kma_json_begin(&doc->json, sheet->name, '[', KMA_JSON_LINES);
	for (size_t i = 0; i < kma_sheet_rows(sheet); i++)
		kma_sheet_json_row(sheet, i, NULL, &doc->json);
	kma_json_end(&doc->json);
}

void kma_sheet_write(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	static void (*const writers[KMA_NR_FORMATS])(const struct kma_sheet *sheet,
						     struct kma_doc *doc) = {
		[KMA_FORMAT_TABLE] = kma_sheet_table,
		[KMA_FORMAT_CSV] = kma_sheet_csv,
		[KMA_FORMAT_JSON] = kma_sheet_json,
	};

	doc->out->failed |= sheet->failed;
	if (sheet->failed)
		return;
	kma_strbuf_expect(doc->out, (kma_sheet_rows(sheet) + sheet->tail) * KMA_SHEET_ROW);
	writers[doc->format](sheet, doc);
}

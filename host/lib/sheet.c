// SPDX-License-Identifier: GPL-2.0-only
/*
 * sheet.c - rows with typed columns: layout of tables, CSV, rows of JSON, tables of HTML.
 *
 * A table is written in two passes over the cells. The first pass finds the width of each column;
 * the length of a plain number is computed without writing it. The second pass writes the rows. On
 * a terminal, the columns that may be shortened get the space that the others leave. CSV, JSON and
 * HTML need one pass.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "array.h"
#include "cleanup.h"
#include "escape.h"
#include "fit.h"
#include "sheet.h"
#include "units.h"

#define KMA_SHEET_GAP	2  /* blanks between columns */
#define KMA_SHEET_ROW	96 /* bytes that are reserved for a row */
#define KMA_SHEET_FIELD 96 /* bytes of a number and its gap that are written at once */
#define KMA_SHEET_LEAST 8  /* smallest width of a shortened text, in columns of the terminal */
#define KMA_SHEET_ROWS	3  /* rows of a ranked sheet that a small terminal has anyway */

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

static void sheet_add(struct kma_sheet *sheet, const struct kma_cell_kept *cell)
{
	kma_array_room(sheet->cells, sheet->nr, sheet->room);
	sheet->cells[sheet->nr++] = *cell;
}

void kma_sheet_text(struct kma_sheet *sheet, const char *text)
{
	sheet_add(sheet, &(struct kma_cell_kept){ .text = kma_xstrdup(text) });
}

void kma_sheet_number(struct kma_sheet *sheet, uint64_t number)
{
	sheet_add(sheet, &(struct kma_cell_kept){ .number = number });
}

void kma_sheet_none(struct kma_sheet *sheet)
{
	sheet_add(sheet, &(struct kma_cell_kept){ .none = true });
}

static void sheet_cell(const struct kma_sheet *sheet, size_t row, size_t column,
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

static bool column_left(const struct kma_sheet_column *column)
{
	return column->kind == KMA_CELL_TEXT || column->kind == KMA_CELL_BAR || column->left;
}

static bool column_in_table(const struct kma_sheet_column *column)
{
	return column->title;
}

/* Kind by which a number is shown: plain digits if the user requested them. */
static enum kma_cell_kind cell_kind_shown(enum kma_cell_kind kind, const struct kma_doc *doc)
{
	return doc->bytes && (kind == KMA_CELL_BYTES || kind == KMA_CELL_NS_LONG) ? KMA_CELL_COUNT :
										    kind;
}

/* A table that is written. */
struct kma_table {
	const struct kma_sheet *sheet;
	struct kma_doc *doc;
	struct kma_fit_column *fits; /* width of each column, in columns of the terminal */
	bool narrow;		     /* texts are shortened to their widths */
	size_t last;		     /* index of the last column that is shown */
	struct kma_strbuf text;	     /* buffer for one cell */
};

static bool table_has(const struct kma_table *table, size_t column)
{
	return column_in_table(&table->sheet->columns[column]) && !table->fits[column].hidden;
}

static size_t table_gap(const struct kma_table *table, size_t column)
{
	if (column == table->last)
		return 0;
	return table->sheet->columns[column].gap ?: KMA_SHEET_GAP;
}

static void strbuf_blanks(struct kma_strbuf *out, size_t nr)
{
	static const char blanks[] = "                                ";

	for (; nr > strlen(blanks); nr -= strlen(blanks))
		kma_strbuf_add(out, blanks, strlen(blanks));
	kma_strbuf_add(out, blanks, nr);
}

/* Is the width of a column that of its longest cell? A text in the last column needs no width. */
static bool table_measured(const struct kma_table *table, size_t column)
{
	const struct kma_sheet_column *c = &table->sheet->columns[column];

	return column_in_table(c) && !c->fixed && !(c->shortened && table->doc->width) &&
	       !(column == table->last && column_left(c));
}

/* Bytes of a cell. Most cells are numbers, whose length is computed without writing them. */
static size_t table_len(struct kma_table *table, size_t row, size_t column)
{
	static const enum kma_unit units[KMA_NR_CELL_KINDS] = {
		[KMA_CELL_COUNT] = KMA_UNIT_COUNT,
		[KMA_CELL_BYTES] = KMA_UNIT_BYTES,
		[KMA_CELL_NS_LONG] = KMA_UNIT_NS,
	};
	const struct kma_sheet_column *c = &table->sheet->columns[column];
	enum kma_cell_kind kind = cell_kind_shown(c->kind, table->doc);
	struct kma_cell cell;

	sheet_cell(table->sheet, row, column, &cell);
	if ((kind == KMA_CELL_COUNT || kind == KMA_CELL_BYTES || kind == KMA_CELL_NS_LONG) &&
	    kma_cell_is_number(&cell, kind))
		return kma_units_len(cell.number, units[kind]) + !!cell.sign;
	table->text.len = 0;
	kma_cell_print(&cell, kind, c->width, &table->text);
	return table->text.len;
}

/* The first pass: find the width of each column. */
static void table_measure(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	size_t rows = kma_sheet_rows(sheet) + sheet->tail, len;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		table->fits[j].width = column->width;
		if (!column_in_table(column))
			continue;
		table->last = j;
		if (!column->fixed && strlen(column->title) > table->fits[j].width)
			table->fits[j].width = strlen(column->title);
	}
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = 0; j < sheet->nr_columns; j++) {
			if (!table_measured(table, j))
				continue;
			len = table_len(table, i, j);
			if (len > table->fits[j].width)
				table->fits[j].width = len;
		}
	}
}

/* On a terminal: give the space that other columns leave to the columns that may be shortened. */
static void table_fit_marked(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	size_t others = 0;

	for (size_t j = 0; j < sheet->nr_columns; j++)
		if (column_in_table(&sheet->columns[j]) && !sheet->columns[j].shortened)
			others += table->fits[j].width + table_gap(table, j);
	for (size_t j = 0; j < sheet->nr_columns; j++)
		if (sheet->columns[j].shortened)
			table->fits[j].width = table->doc->width > others + KMA_SHEET_LEAST ?
						       table->doc->width - others :
						       KMA_SHEET_LEAST;
}

/* Columns of the terminal that the longest text of a column needs. */
static size_t table_longest(struct kma_table *table, size_t column)
{
	size_t rows = kma_sheet_rows(table->sheet) + table->sheet->tail;
	size_t longest = strlen(table->sheet->columns[column].title), len;

	for (size_t i = 0; i < rows; i++) {
		table_len(table, i, column);
		len = kma_fit_columns(table->text.str ?: "");
		longest = len > longest ? len : longest;
	}
	return longest;
}

/* On a terminal: make the table fit, if it is too wide. Otherwise it is the same as in a pipe. */
static void table_fit(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	bool marked = false;

	if (!table->doc->width)
		return;
	for (size_t j = 0; j < sheet->nr_columns; j++)
		marked |= sheet->columns[j].shortened;
	if (marked) {
		table_fit_marked(table);
		return;
	}
	for (size_t j = 0; j < sheet->nr_columns; j++) {
		struct kma_fit_column *fit = &table->fits[j];

		fit->hidden = !column_in_table(&sheet->columns[j]);
		fit->gap = table_gap(table, j);
		if (!fit->hidden && sheet->columns[j].kind == KMA_CELL_TEXT)
			fit->longest = table_longest(table, j);
	}
	table->narrow = kma_fit_table(table->fits, sheet->nr_columns, table->doc->width);
	for (size_t j = 0; j < sheet->nr_columns; j++)
		if (table_has(table, j))
			table->last = j;
}

/* Write table->text as the cell of a column. */
static void table_field(struct kma_table *table, size_t column)
{
	const struct kma_sheet_column *c = &table->sheet->columns[column];
	const char *text = table->text.str ?: "";
	struct kma_strbuf *out = table->doc->out;
	size_t width = table->fits[column].width, len = table->text.len;
	size_t pad = width > len ? width - len : 0;
	bool left = column_left(c), last = column == table->last;

	if (!left)
		strbuf_blanks(out, pad);
	if ((c->shortened && table->doc->width) || (table->narrow && c->kind == KMA_CELL_TEXT))
		kma_fit_middle(out, text, width);
	else
		kma_strbuf_add(out, text, len);
	if (left && !last)
		strbuf_blanks(out, pad);
	strbuf_blanks(out, table_gap(table, column));
}

/* Write a right-aligned number with its padding and gap, usually in one call. */
static void table_number(struct kma_table *table, const struct kma_cell *cell, size_t column)
{
	enum kma_cell_kind kind = cell_kind_shown(table->sheet->columns[column].kind, table->doc);
	char number[KMA_CELL_NUMBER], field[KMA_SHEET_FIELD];
	size_t len = kma_cell_number(number, cell, kind), gap = table_gap(table, column);
	size_t pad = table->fits[column].width > len ? table->fits[column].width - len : 0;

	if (pad + len + gap > sizeof(field)) {
		strbuf_blanks(table->doc->out, pad);
		kma_strbuf_add(table->doc->out, number, len);
		strbuf_blanks(table->doc->out, gap);
		return;
	}
	memset(field, ' ', pad);
	memcpy(field + pad, number, len);
	memset(field + pad + len, ' ', gap);
	kma_strbuf_add(table->doc->out, field, pad + len + gap);
}

static void table_row(struct kma_table *table, size_t row)
{
	const struct kma_sheet *sheet = table->sheet;
	struct kma_cell cell;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		if (!table_has(table, j))
			continue;
		sheet_cell(sheet, row, j, &cell);
		if (!column_left(column) && kma_cell_is_number(&cell, column->kind)) {
			table_number(table, &cell, j);
			continue;
		}
		table->text.len = 0;
		kma_cell_print(&cell, cell_kind_shown(column->kind, table->doc), column->width,
			       &table->text);
		table_field(table, j);
	}
	kma_strbuf_add(table->doc->out, "\n", 1);
}

static void table_head(struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		if (!table_has(table, j))
			continue;
		table->text.len = 0;
		kma_strbuf_puts(&table->text, sheet->columns[j].title);
		table_field(table, j);
	}
	kma_strbuf_add(table->doc->out, "\n", 1);
}

static size_t doc_lines(const struct kma_doc *doc)
{
	size_t lines = 0;

	for (size_t i = 0; i < doc->out->len; i++)
		lines += doc->out->str[i] == '\n';
	return lines;
}

/*
 * The rows of a ranked sheet that fit on the terminal; the last one takes the line of "1 more row".
 */
static size_t table_rows(const struct kma_table *table)
{
	const struct kma_sheet *sheet = table->sheet;
	struct kma_doc *doc = table->doc;
	size_t rows = kma_sheet_rows(sheet), keep;
	/* The heading, the line of the others, that of the columns left out; the shell's prompt. */
	size_t taken = 4 + !!sheet->title + sheet->tail + doc->below;

	if (!doc->lines || !sheet->ranked)
		return rows;
	taken += doc_lines(doc);
	keep = doc->lines > taken ? doc->lines - taken : 0;
	keep /= doc->ranked ?: 1;
	doc->ranked -= doc->ranked > 1;
	keep = keep < KMA_SHEET_ROWS ? KMA_SHEET_ROWS : keep;
	return rows <= keep + 1 ? rows : keep;
}

/* Name the columns that a table on a terminal leaves out. */
static void table_left_out(struct kma_table *table)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	const struct kma_sheet *sheet = table->sheet;
	const char *comma = "columns left out (--all): ";

	for (size_t j = 0; j < sheet->nr_columns; j++) {
		if (!column_in_table(&sheet->columns[j]) || table_has(table, j))
			continue;
		kma_strbuf_printf(&line, "%s%s", comma,
				  sheet->columns[j].title + strspn(sheet->columns[j].title, " "));
		comma = ", ";
	}
	if (line.len)
		kma_fit_wrap(table->doc->out, line.str, table->doc->width);
}

static void sheet_table(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	_cleanup_free_ struct kma_fit_column *fits = kma_xcalloc(sheet->nr_columns, sizeof(*fits));
	struct kma_table table = { .sheet = sheet, .doc = doc, .fits = fits };
	size_t rows = kma_sheet_rows(sheet), keep;

	if (sheet->title)
		kma_strbuf_printf(doc->out, "%s\n", sheet->title);
	table_measure(&table);
	table_fit(&table);
	keep = table_rows(&table);
	table_head(&table);
	for (size_t i = 0; i < keep; i++)
		table_row(&table, i);
	if (keep < rows)
		kma_strbuf_printf(doc->out, "%zu more rows (--all)\n", rows - keep);
	for (size_t i = rows; i < rows + sheet->tail; i++)
		table_row(&table, i);
	table_left_out(&table);
	kma_strbuf_deinit(&table.text);
}

static void sheet_csv_text(const struct kma_doc *doc, const char *text)
{
	if (doc->csv_safe)
		kma_escape_csv_safe(doc->out, text);
	else
		kma_escape_csv(doc->out, text);
}

static void sheet_csv(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	const char *comma = "";
	struct kma_cell cell;

	doc->cells = 0;
	for (size_t j = 0; j < sheet->nr_columns; j++) {
		if (!sheet->columns[j].name)
			continue;
		kma_strbuf_puts(doc->out, doc->cells++ ? "," : "");
		sheet_csv_text(doc, sheet->columns[j].name);
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
			sheet_cell(sheet, i, j, &cell);
			if (cell.none)
				continue;
			if (kma_cell_is_text(kind))
				sheet_csv_text(doc, cell.text ?: "");
			else
				kma_cell_raw(&cell, kind, doc->out);
		}
		kma_strbuf_add(doc->out, "\n", 1);
	}
}

void kma_sheet_remark(struct kma_doc *doc, const char *text)
{
	if (doc->format != KMA_FORMAT_CSV)
		return;
	sheet_csv_text(doc, text);
	for (size_t i = 1; i < doc->cells; i++)
		kma_strbuf_add(doc->out, ",", 1);
	kma_strbuf_add(doc->out, "\n", 1);
}

static void sheet_json_row(const struct kma_sheet *sheet, size_t row, const char *name,
			   struct kma_json *json)
{
	struct kma_cell cell;

	kma_json_begin(json, name, '{', sheet->style ?: KMA_JSON_INLINE);
	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *column = &sheet->columns[j];

		if (!column->name || column->csv_only)
			continue;
		sheet_cell(sheet, row, j, &cell);
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
		sheet_json_row(sheet, row, name, &doc->json);
}

static void sheet_json(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	kma_json_begin(&doc->json, sheet->name, '[', KMA_JSON_LINES);
	for (size_t i = 0; i < kma_sheet_rows(sheet); i++)
		sheet_json_row(sheet, i, NULL, &doc->json);
	kma_json_end(&doc->json);
}

static void sheet_html_cell(const struct kma_sheet *sheet, size_t row, size_t column,
			    struct kma_doc *doc, struct kma_strbuf *text)
{
	const struct kma_sheet_column *c = &sheet->columns[column];
	struct kma_cell cell;

	sheet_cell(sheet, row, column, &cell);
	text->len = 0;
	kma_cell_print(&cell, cell_kind_shown(c->kind, doc), c->width, text);
	kma_strbuf_puts(doc->out, column_left(c) ? "<td>" : "<td class=\"n\">");
	kma_escape_xml(doc->out, text->len ? text->str : "");
	kma_strbuf_puts(doc->out, "</td>");
}

static void sheet_html(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	size_t rows = kma_sheet_rows(sheet) + sheet->tail;

	kma_strbuf_puts(doc->out, "<table>\n");
	if (sheet->title) {
		kma_strbuf_puts(doc->out, "<caption>");
		kma_escape_xml(doc->out, sheet->title);
		kma_strbuf_puts(doc->out, "</caption>\n");
	}
	kma_strbuf_puts(doc->out, "<thead><tr>");
	for (size_t j = 0; j < sheet->nr_columns; j++) {
		const struct kma_sheet_column *c = &sheet->columns[j];

		if (!column_in_table(c))
			continue;
		kma_strbuf_printf(doc->out, "<th scope=\"col\"%s>",
				  column_left(c) ? "" : " class=\"n\"");
		kma_escape_xml(doc->out, c->title);
		kma_strbuf_puts(doc->out, "</th>");
	}
	kma_strbuf_puts(doc->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < rows; i++) {
		kma_strbuf_puts(doc->out, "<tr>");
		for (size_t j = 0; j < sheet->nr_columns; j++)
			if (column_in_table(&sheet->columns[j]))
				sheet_html_cell(sheet, i, j, doc, &text);
		kma_strbuf_puts(doc->out, "</tr>\n");
	}
	kma_strbuf_puts(doc->out, "</tbody>\n</table>\n");
}

void kma_sheet_write(const struct kma_sheet *sheet, struct kma_doc *doc)
{
	static void (*const writers[])(const struct kma_sheet *sheet, struct kma_doc *doc) = {
		[KMA_FORMAT_TABLE] = sheet_table,
		[KMA_FORMAT_CSV] = sheet_csv,
		[KMA_FORMAT_JSON] = sheet_json,
		[KMA_FORMAT_HTML] = sheet_html,
	};

	kma_strbuf_expect(doc->out, (kma_sheet_rows(sheet) + sheet->tail) * KMA_SHEET_ROW);
	writers[doc->format](sheet, doc);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * sheet.c - rows with a few columns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "sheet.h"
#include "view.h"

void kma_sheet_init(struct kma_sheet *sheet, const char *name, const char *title,
		    const struct kma_sheet_column *columns, size_t nr)
{
	*sheet = (struct kma_sheet){
		.name = name, .title = title, .columns = columns, .nr_columns = nr
	};
}

void kma_sheet_deinit(struct kma_sheet *sheet)
{
	for (size_t i = 0; i < sheet->nr; i++)
		free(sheet->cells[i].text);
	free(sheet->cells);
	sheet->cells = NULL;
	sheet->nr = sheet->room = 0;
}

static void kma_sheet_add(struct kma_sheet *sheet, const struct kma_cell *cell)
{
	size_t room = sheet->room ? sheet->room * 2 : 256;
	struct kma_cell *cells;

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
	struct kma_cell cell = { .text = strdup(text) };

	sheet->failed |= !cell.text;
	kma_sheet_add(sheet, &cell);
}

void kma_sheet_number(struct kma_sheet *sheet, uint64_t number)
{
	kma_sheet_add(sheet, &(struct kma_cell){ .number = number });
}

void kma_sheet_none(struct kma_sheet *sheet)
{
	kma_sheet_add(sheet, &(struct kma_cell){ .none = true });
}

static void kma_cell_ns(uint64_t ns, struct kma_strbuf *out)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = ns;
	size_t unit = 0;

	while (value >= 1000 && unit < ARRAY_SIZE(units) - 1) {
		value /= 1000;
		unit++;
	}
	kma_strbuf_printf(out, "%.*f %s", unit && value < 100 ? 1 : 0, value, units[unit]);
}

static void kma_cell_print(const struct kma_cell *cell, enum kma_cell_kind kind, bool bytes,
			   struct kma_strbuf *out)
{
	char number[KMA_NUMBER_LEN];

	if (cell->none)
		kma_strbuf_puts(out, "-");
	else if (kind == KMA_CELL_TEXT)
		kma_escape_plain(out, cell->text ?: "");
	else if (kind == KMA_CELL_BYTES && !bytes)
		kma_strbuf_puts(out, kma_units_format(number, sizeof(number), cell->number,
						      KMA_UNIT_BYTES));
	else if (kind == KMA_CELL_NS)
		kma_cell_ns(cell->number, out);
	else if (kind == KMA_CELL_TIME)
		kma_strbuf_printf(out, "%" PRIu64 ".%06" PRIu64, cell->number / 1000000000,
				  cell->number / 1000 % 1000000);
	else if (kind == KMA_CELL_HEX)
		kma_strbuf_printf(out, "0x%" PRIx64, cell->number);
	else
		kma_strbuf_u64(out, cell->number);
}

/* Pads to the right column: numbers to the right, text to the left. */
static void kma_sheet_field(struct kma_strbuf *out, const char *text, size_t width, bool left,
			    bool last)
{
	int pad = (int)width - (int)strlen(text);

	if (left)
		kma_strbuf_printf(out, "%s%*s%s", text, last ? 0 : pad, "", last ? "" : "  ");
	else
		kma_strbuf_printf(out, "%*s%s%s", pad, "", text, last ? "" : "  ");
}

static bool kma_sheet_last(const struct kma_sheet *sheet, size_t column)
{
	while (++column < sheet->nr_columns)
		if (sheet->columns[column].title)
			return false;
	return true;
}

void kma_sheet_table(const struct kma_sheet *sheet, bool bytes, struct kma_strbuf *out)
{
	_cleanup_free_ size_t *widths = calloc(sheet->nr_columns, sizeof(*widths));
	size_t rows = kma_sheet_rows(sheet);

	if (!widths || sheet->failed) {
		out->failed = true;
		return;
	}
	/* Once to measure, once to write; row 0 is the heading. */
	kma_strbuf_printf(out, "%s\n", sheet->title);
	for (size_t i = 0; i < 2 * (rows + 1); i++) {
		size_t row = i % (rows + 1);

		for (size_t j = 0; j < sheet->nr_columns; j++) {
			_cleanup_strbuf_ struct kma_strbuf text = { 0 };
			const struct kma_sheet_column *column = &sheet->columns[j];

			if (!column->title)
				continue;
			if (row)
				kma_cell_print(&sheet->cells[(row - 1) * sheet->nr_columns + j],
					       column->kind, bytes, &text);
			else
				kma_strbuf_puts(&text, column->title);
			if (i > rows)
				kma_sheet_field(out, text.str ?: "", widths[j],
						column->kind == KMA_CELL_TEXT,
						kma_sheet_last(sheet, j));
			else if (text.len > widths[j])
				widths[j] = text.len;
		}
		if (i > rows)
			kma_strbuf_puts(out, "\n");
	}
}

void kma_sheet_csv(const struct kma_sheet *sheet, struct kma_strbuf *out)
{
	for (size_t j = 0; j < sheet->nr_columns; j++)
		kma_strbuf_printf(out, "%s%s", j ? "," : "", sheet->columns[j].name);
	for (size_t i = 0; i < sheet->nr; i++) {
		const struct kma_cell *cell = &sheet->cells[i];

		kma_strbuf_puts(out, i % sheet->nr_columns ? "," : "\n");
		if (cell->none)
			continue;
		if (sheet->columns[i % sheet->nr_columns].kind == KMA_CELL_TEXT)
			kma_escape_csv(out, cell->text ?: "");
		else
			kma_strbuf_u64(out, cell->number);
	}
	kma_strbuf_puts(out, "\n");
	out->failed |= sheet->failed;
}

void kma_sheet_json(const struct kma_sheet *sheet, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "  \"%s\": [", sheet->name);
	for (size_t i = 0; i < sheet->nr; i++) {
		const struct kma_sheet_column *column = &sheet->columns[i % sheet->nr_columns];
		const struct kma_cell *cell = &sheet->cells[i];

		if (i % sheet->nr_columns == 0)
			kma_strbuf_puts(out, i ? " },\n    { " : "\n    { ");
		else
			kma_strbuf_puts(out, ", ");
		kma_strbuf_printf(out, "\"%s\": ", column->name);
		if (cell->none)
			kma_strbuf_puts(out, "null");
		else if (column->kind == KMA_CELL_TEXT)
			kma_escape_json(out, cell->text ?: "");
		else
			kma_strbuf_u64(out, cell->number);
	}
	kma_strbuf_puts(out, sheet->nr ? " }\n  ]" : "]");
	out->failed |= sheet->failed;
}

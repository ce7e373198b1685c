// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtable-text.c - write a table of the module, or the changes between two, as sheets.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/plural.h"
#include "lib/sheet.h"
#include "modtable-text.h"

/* Leading columns of changes: the names of a row, then its state; the numbers follow. */
enum { KMA_MODTABLE_STATE = KMA_MODTABLE_KEYS, KMA_MODTABLE_LEAD };

static enum kma_cell_kind kma_modtable_cell_kind(const struct kma_modtable *table, size_t column)
{
	static const enum kma_cell_kind kinds[] = {
		[KMA_MODTABLE_TEXT] = KMA_CELL_TEXT,
		[KMA_MODTABLE_COUNT] = KMA_CELL_COUNT,
		[KMA_MODTABLE_BYTES] = KMA_CELL_BYTES,
		[KMA_MODTABLE_NS] = KMA_CELL_NS,
	};

	return kinds[kma_modtable_kind(table, column)];
}

static void kma_modtable_set(const void *arg, size_t row, size_t column, struct kma_cell *cell)
{
	const struct kma_modtable *table = arg;
	const char *text = kma_modtable_cell(table, row, column);

	if (kma_modtable_kind(table, column) == KMA_MODTABLE_TEXT)
		cell->text = text;
	else
		cell->none = !kma_modtable_number(text, &cell->number);
}

static size_t kma_modtable_rows_shown(size_t nr, unsigned long top)
{
	return top && top < nr ? top : nr;
}

/* Writes how many rows --top leaves out. */
static void kma_modtable_rest(struct kma_doc *doc, size_t nr, size_t shown)
{
	char text[64];

	if (shown == nr)
		return;
	snprintf(text, sizeof(text), "%zu more %s not shown; use --top N", nr - shown,
		 kma_plural(nr - shown, "row is", "rows are"));
	kma_doc_line(doc, text);
}

static void kma_modtable_doc(struct kma_doc *doc, const char *format,
			     const struct kma_modtable *table, const struct kma_options *opts,
			     struct kma_strbuf *out)
{
	doc->bytes = opts->bytes;
	doc->csv_safe = opts->csv_safe;
	kma_doc_begin(doc, opts->format, format, 1, out);
	kma_doc_fit(doc, !opts->all && !opts->output);
	kma_doc_text(doc, "table", NULL, kma_modtable_names[table->id]);
}

void kma_modtable_write(const struct kma_modtable *table, const struct kma_options *opts,
			struct kma_strbuf *out)
{
	struct kma_sheet_column columns[KMA_MODTABLE_COLUMNS] = { 0 };
	struct kma_sheet sheet = {
		.name = "rows",
		.columns = columns,
		.nr_columns = table->nr_columns,
		.cell = kma_modtable_set,
		.arg = table,
		.rows = kma_modtable_rows_shown(table->nr, opts->top),
	};
	struct kma_doc doc = { 0 };

	for (size_t i = 0; i < table->nr_columns; i++)
		columns[i] = (struct kma_sheet_column){ .name = table->columns[i],
							.title = table->columns[i],
							.kind = kma_modtable_cell_kind(table, i) };
	kma_modtable_doc(&doc, "kmem-account table", table, opts, out);
	kma_doc_number(&doc, "number_of_rows", NULL, table->nr);
	kma_sheet_write(&sheet, &doc);
	kma_modtable_rest(&doc, table->nr, sheet.rows);
	kma_doc_end(&doc);
}

/* A sheet of changes: its columns are the names of a row, its state, and the numbers. */
struct kma_modtable_changes {
	const struct kma_modtable_diff *diff;
	size_t numbers[KMA_MODTABLE_COLUMNS]; /* columns of the table after */
	size_t nr;
};

static void kma_modtable_name(const struct kma_modtable_diff *diff,
			      const struct kma_modtable_pair *pair, size_t key,
			      struct kma_cell *cell)
{
	int column = diff->keys[key];

	if (pair->after != KMA_MODTABLE_NONE)
		cell->text = kma_modtable_cell(diff->after, pair->after, column);
	else if (diff->old[column] >= 0)
		cell->text = kma_modtable_cell(diff->before, pair->before, diff->old[column]);
	else
		cell->none = true;
}

static void kma_modtable_change(const void *arg, size_t row, size_t column, struct kma_cell *cell)
{
	const struct kma_modtable_changes *changes = arg;
	const struct kma_modtable_diff *diff = changes->diff;
	const struct kma_modtable_pair *pair = &diff->pairs[row];
	int64_t change;

	if (column < KMA_MODTABLE_STATE && diff->keys[column] >= 0) {
		kma_modtable_name(diff, pair, column, cell);
	} else if (column == KMA_MODTABLE_STATE) {
		cell->text = pair->before == KMA_MODTABLE_NONE ? "new" :
			     pair->after == KMA_MODTABLE_NONE  ? "gone" :
								 "changed";
	} else if (column > KMA_MODTABLE_STATE) {
		size_t number = changes->numbers[column - KMA_MODTABLE_LEAD];

		cell->none = !kma_modtable_diff_change(diff, pair, number, &change);
		cell->number = llabs(change);
		cell->sign = change < 0 ? '-' : change > 0 ? '+' : 0;
	}
}

void kma_modtable_diff_write(const struct kma_modtable_diff *diff, const struct kma_options *opts,
			     struct kma_strbuf *out)
{
	struct kma_sheet_column columns[KMA_MODTABLE_LEAD + KMA_MODTABLE_COLUMNS] = { 0 };
	struct kma_modtable_changes changes = { .diff = diff };
	struct kma_sheet sheet = {
		.name = "rows",
		.columns = columns,
		.cell = kma_modtable_change,
		.arg = &changes,
		.rows = kma_modtable_rows_shown(diff->nr, opts->top),
	};
	const struct kma_modtable *after = diff->after;
	struct kma_doc doc = { 0 };

	for (size_t i = 0; i < KMA_MODTABLE_KEYS; i++)
		if (diff->keys[i] >= 0)
			columns[i].name = columns[i].title = after->columns[diff->keys[i]];
	columns[KMA_MODTABLE_STATE].name = columns[KMA_MODTABLE_STATE].title = "state";
	for (size_t i = 0; i < after->nr_columns; i++) {
		struct kma_sheet_column *column = &columns[KMA_MODTABLE_LEAD + changes.nr];

		if (kma_modtable_kind(after, i) == KMA_MODTABLE_TEXT)
			continue;
		column->name = column->title = after->columns[i];
		column->kind = kma_modtable_cell_kind(after, i);
		changes.numbers[changes.nr++] = i;
	}
	sheet.nr_columns = KMA_MODTABLE_LEAD + changes.nr;
	kma_modtable_doc(&doc, "kmem-account table diff", after, opts, out);
	kma_doc_number(&doc, "unchanged", "rows without a change", diff->same);
	kma_sheet_write(&sheet, &doc);
	kma_modtable_rest(&doc, diff->nr, sheet.rows);
	kma_doc_end(&doc);
}

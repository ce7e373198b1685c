// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-text.c - the rows of top as a document.
 */
#include <math.h>

#include "lib/cleanup.h"
#include "lib/sheet.h"
#include "top-cgroups.h"
#include "top-text.h"

/* The numbers, and the time, the keys, the largest cgroup, its bytes, the directory, and the kind. */
#define KMA_TOP_TEXT_COLUMNS (KMA_TOP_NR_NUMBERS + KMA_KEYS_MAX + 5)

/* A sheet of rows. The kind of a column is a number of the table of columns, or negative. */
struct kma_top_sheet {
	const struct kma_top_text *text;
	struct kma_sheet_column columns[KMA_TOP_TEXT_COLUMNS];
	int which[KMA_TOP_TEXT_COLUMNS];
	size_t nr;
	struct kma_keys by;
	char titles[KMA_KEYS_MAX][KMA_TOP_TITLE];
	struct kma_strbuf *scratch;	 /* a part of a key, for one cell at a time */
	struct kma_top_largest *largest; /* of each row; NULL: no cgroups, or the rows are */
};

enum {
	KMA_TOP_TEXT_TIME = -1,
	KMA_TOP_TEXT_CGROUP = -2,
	KMA_TOP_TEXT_CGROUP_LIVE = -3,
	KMA_TOP_TEXT_KIND = -4,
	KMA_TOP_TEXT_KEY = -5, /* the next ones are the other keys */
};

static void top_text_cell(const void *arg, size_t row, size_t column, struct kma_cell *ret)
{
	const struct kma_top_sheet *sheet = arg;
	const struct kma_top_row *from = &sheet->text->rows->rows[row];
	int which = sheet->which[column];
	double number;

	if (which == KMA_TOP_TEXT_TIME) {
		ret->text = sheet->text->facts->time;
	} else if (which <= KMA_TOP_TEXT_KEY) {
		ret->text = from->key;
		if (sheet->by.nr > 1)
			ret->text =
				kma_keys_part(from->key, KMA_TOP_TEXT_KEY - which, sheet->scratch);
		ret->after = from->twin ? kma_kind_remarks[from->kind] : NULL;
	} else if (which == KMA_TOP_TEXT_KIND) {
		ret->text = kma_kind_names[from->kind];
		ret->none = from->kind == KMA_KIND_UNKNOWN;
	} else if (which == KMA_TOP_TEXT_CGROUP) {
		ret->text = sheet->largest[row].cgroup ?: "";
	} else if (which == KMA_TOP_TEXT_CGROUP_LIVE) {
		ret->number = sheet->largest[row].live;
	} else if (which == KMA_TOP_DIRECTORY) {
		ret->text = from->directory;
	} else {
		number = kma_top_columns[which].get(&from->numbers);
		ret->number = llround(fabs(number));
		if (kma_top_columns[which].is_signed && ret->number)
			ret->sign = number < 0 ? '-' : '+';
	}
}

static void top_text_column(struct kma_top_sheet *sheet, int which, struct kma_sheet_column column)
{
	sheet->which[sheet->nr] = which;
	sheet->columns[sheet->nr++] = column;
}

static const enum kma_cell_kind kma_top_text_kinds[] = {
	[KMA_UNIT_BYTES] = KMA_CELL_BYTES,
	[KMA_UNIT_COUNT] = KMA_CELL_COUNT,
	[KMA_UNIT_NS] = KMA_CELL_NS_LONG,
};

static void top_text_largest(struct kma_top_sheet *sheet)
{
	top_text_column(sheet, KMA_TOP_TEXT_CGROUP_LIVE,
			(struct kma_sheet_column){ .name = "largest_cgroup_live",
						   .title = "IN CGROUP",
						   .kind = KMA_CELL_BYTES,
						   .width = 10 });
	top_text_column(sheet, KMA_TOP_TEXT_CGROUP,
			(struct kma_sheet_column){ .name = "largest_cgroup",
						   .title = "LARGEST CGROUP",
						   .kind = KMA_CELL_TEXT });
}

static void top_text_columns(struct kma_top_sheet *sheet)
{
	const struct kma_top_state *state = sheet->text->state;

	/* a table has the time in the line above it */
	top_text_column(sheet, KMA_TOP_TEXT_TIME,
			(struct kma_sheet_column){
				.name = "time", .kind = KMA_CELL_TEXT, .csv_only = true });
	for (int i = 0; i < KMA_TOP_NR_NUMBERS; i++) {
		const struct kma_top_column *column = &kma_top_columns[i];

		if (!kma_top_has_column(state, i))
			continue;
		top_text_column(sheet, i,
				(struct kma_sheet_column){
					.name = column->full,
					.title = column->title,
					.kind = kma_top_text_kinds[column->unit],
					.width = column->width,
				});
	}
	for (unsigned int i = 0; i < sheet->by.nr; i++) {
		enum kma_key_id id = sheet->by.list[i];

		top_text_column(
			sheet, KMA_TOP_TEXT_KEY - (int)i,
			(struct kma_sheet_column){ .name = kma_keys[id].name,
						   .title = kma_top_title(id, sheet->titles[i]),
						   .kind = KMA_CELL_TEXT });
	}
	if (sheet->largest)
		top_text_largest(sheet);
	if (kma_top_has_column(state, KMA_TOP_DIRECTORY))
		top_text_column(sheet, KMA_TOP_DIRECTORY,
				(struct kma_sheet_column){
					.name = kma_top_columns[KMA_TOP_DIRECTORY].full,
					.title = kma_top_columns[KMA_TOP_DIRECTORY].title,
					.kind = KMA_CELL_TEXT });
	/* Always, because csv has the names of the columns once, and each read can add a site. */
	if (kma_keys_are(&sheet->by, KMA_KEY_CALLER))
		top_text_column(sheet, KMA_TOP_TEXT_KIND,
				(struct kma_sheet_column){
					.name = "kind", .kind = KMA_CELL_TEXT, .optional = true });
}

void kma_top_text_write(const struct kma_top_text *text, struct kma_strbuf *out)
{
	_cleanup_free_ struct kma_top_largest *largest = NULL;
	const struct kma_top_query query = kma_top_query_of(text->state);
	struct kma_strbuf cell = { 0 };
	struct kma_top_sheet columns = {
		.text = text,
		.by = kma_top_keys(text->state),
		.scratch = &cell,
	};
	struct kma_doc doc = { .csv_safe = text->csv_safe };
	struct kma_sheet sheet = { 0 };
	size_t nr = text->rows->nr;

	nr = text->top && text->top < nr ? text->top : nr;
	if (text->state->has_cgroups && !kma_top_by_cgroup(text->state))
		largest = kma_top_largest_of(text->rows->rows, nr, text->facts, &query);
	columns.largest = largest;
	top_text_columns(&columns);
	sheet = (struct kma_sheet){
		.name = "rows",
		.columns = columns.columns,
		.nr_columns = columns.nr,
		.cell = top_text_cell,
		.arg = &columns,
		.rows = nr,
	};
	kma_doc_begin(&doc, text->format, "kmem-account top", 1, out);
	kma_doc_text(&doc, "time", "time", text->facts->time);
	kma_doc_text(&doc, "source", "source", text->facts->source);
	kma_doc_number(&doc, "live", NULL, text->rows->total.now.current);
	kma_doc_number(&doc, "read_ns", NULL, text->facts->read_ns);
	kma_doc_number(&doc, "not_recorded", "events not recorded",
		       text->facts->losses[KMA_LOSS_NOT_RECORDED]);
	kma_doc_number(&doc, "restarts", NULL, kma_rates_restarts(text->facts->rates));
	kma_sheet_write(&sheet, &doc);
	kma_unread_write(&text->facts->unread, text->facts->source, &doc);
	kma_doc_end(&doc);
	kma_strbuf_deinit(&cell);
}

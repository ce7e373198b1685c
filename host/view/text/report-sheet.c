// SPDX-License-Identifier: GPL-2.0-only
/*
 * report-sheet.c - the rows of a report as a sheet.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "report-sheet.h"

/* Returns the text of a key of a row. Programs get it as it is. */
static const char *key_text(const struct kma_report_sheet *view, const struct kma_row *row,
			    size_t column)
{
	_cleanup_free_ char *copy = NULL;
	const struct kma_keys *by = &view->report->by;
	unsigned int part = view->parts[column];
	const char *text;

	if (view->report->key || by->nr == 1)
		return view->columns[column].title && row->label ? row->label : row->key;
	text = kma_keys_part(row->key, part, view->scratch);
	if (!view->columns[column].title || !*text)
		return text;
	copy = kma_xstrdup(text);
	view->scratch->len = 0;
	kma_key_label(by->list[part], copy, view->scratch);
	return view->scratch->str;
}

/* Writes the parts of a text as a JSON list. */
static void report_list(struct kma_json *json, const char *name, const char *text,
			const char *between)
{
	kma_json_begin(json, name, '[', KMA_JSON_INLINE);
	while (*text) {
		const char *end = strstr(text, between) ?: text + strlen(text);
		char *copy = kma_xstrndup(text, end - text);

		kma_json_text(json, NULL, copy);
		free(copy);
		text = *end ? end + strlen(between) : end;
	}
	kma_json_end(json);
}

/* Writes the other names of a merged cache as a list. */
static void report_aliases(const void *arg, size_t i, struct kma_json *json)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_rows *rows = view->report->rows;

	if (i < rows->nr && rows->rows[i].aliases)
		report_list(json, "aliases", rows->rows[i].aliases, ", ");
}

/* Writes the frames of a stack as a list. */
static void report_frames(const void *arg, size_t i, struct kma_json *json)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_rows *rows = view->report->rows;
	unsigned int part = view->stack - 1;

	if (i < rows->nr)
		report_list(json, kma_keys[KMA_KEY_STACK].name,
			    kma_keys_part(rows->rows[i].key, part, view->scratch), ";");
}

/* Sets sizeof() the type of a row, or the bytes that its objects requested beyond that. */
static void type_cell(const struct kma_row *row, bool beyond, struct kma_cell *ret)
{
	uint64_t size = row ? row->type_size : 0, objects;

	ret->none = !size;
	ret->number = size;
	if (!size || !beyond)
		return;
	objects = row->values->objects;
	if (!objects && row->values->allocs > row->values->frees)
		objects = row->values->allocs - row->values->frees;
	/* Of some structs the kernel allocates less than the whole. */
	ret->none = !objects || row->values->req < size * objects;
	ret->number = row->values->req - size * objects;
}

/* Sets a cell. The row after the last one is the total, which has no key for programs. */
static void report_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_report *report = view->report;
	const struct kma_rows *rows = report->rows;
	const struct kma_values *values = i < rows->nr ? rows->rows[i].values : &rows->total;
	const struct kma_metric *attr = &kma_metrics[report->attr];

	if (!column && i < rows->nr)
		kma_rows_prefetch(rows, i);
	if (view->kind && column == view->kind) {
		ret->none = i >= rows->nr || rows->rows[i].kind == KMA_KIND_UNKNOWN;
		ret->text = ret->none ? NULL : kma_kind_names[rows->rows[i].kind];
		return;
	}
	if (view->type && (column == view->type || column == view->type + 1)) {
		type_cell(i < rows->nr ? &rows->rows[i] : NULL, column > view->type, ret);
		return;
	}
	switch (view->columns[column].kind) {
	case KMA_CELL_TEXT:
		if (i < rows->nr)
			ret->text = key_text(view, &rows->rows[i], column);
		else
			ret->text = view->parts[column] ? "" : "total";
		ret->none = !view->columns[column].title && i >= rows->nr;
		break;
	case KMA_CELL_SHARE:
		ret->number = attr->get(values);
		ret->whole = attr->get(&rows->total);
		break;
	case KMA_CELL_BAR:
		ret->number = attr->get(values);
		ret->whole = i < view->bars ? view->most : 0;
		break;
	default:
		ret->number = kma_metrics[view->ids[column]].get(values);
	}
}

/* Adds the columns of the keys for programs, which are first. In JSON a stack is a list instead. */
static size_t key_columns(struct kma_report_sheet *view)
{
	const struct kma_report *report = view->report;

	if (report->key) {
		view->columns[0] = (struct kma_sheet_column){ .name = report->key,
							      .kind = KMA_CELL_TEXT,
							      .optional = true };
		return 1;
	}
	for (unsigned int i = 0; i < report->by.nr; i++) {
		bool stack = report->by.list[i] == KMA_KEY_STACK;

		if (stack)
			view->stack = i + 1;
		view->parts[i] = i;
		view->columns[i] = (struct kma_sheet_column){
			.name = kma_keys[report->by.list[i]].name,
			.kind = KMA_CELL_TEXT,
			.optional = true,
			.csv_only = stack,
		};
	}
	return report->by.nr;
}

void kma_report_sheet_init(struct kma_report_sheet *view, const struct kma_report *report,
			   size_t bar, struct kma_strbuf *scratch)
{
	static const enum kma_cell_kind kinds[] = {
		[KMA_UNIT_BYTES] = KMA_CELL_BYTES,
		[KMA_UNIT_COUNT] = KMA_CELL_COUNT,
		[KMA_UNIT_NS] = KMA_CELL_NS_LONG,
	};
	unsigned int have = kma_report_have(report), shown = report->columns ?: have;
	struct kma_sheet_column *columns = view->columns;
	unsigned int keys = report->key ? 1 : report->by.nr;
	size_t nr;

	*view = (struct kma_report_sheet){ .report = report, .scratch = scratch };
	nr = key_columns(view);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!((have | shown) & 1U << id))
			continue;
		view->ids[nr] = id;
		columns[nr++] = (struct kma_sheet_column){
			.name = have & 1U << id ? kma_metrics[id].name : NULL,
			.title = shown & 1U << id ? kma_metrics[id].title : NULL,
			.kind = kinds[kma_metrics[id].unit],
		};
	}
	/* People see the kind only where rows would look alike: in the label of the row. */
	if (report->rows->kinds) {
		view->kind = nr;
		columns[nr++] = (struct kma_sheet_column){ .name = "kind",
							   .kind = KMA_CELL_TEXT,
							   .optional = true };
	}
	if (!report->key && kma_keys_have(&report->by, KMA_KEY_TYPE)) {
		view->type = nr;
		columns[nr++] = (struct kma_sheet_column){ .name = "sizeof",
							   .title = "sizeof",
							   .kind = KMA_CELL_BYTES };
		columns[nr++] = (struct kma_sheet_column){ .name = "beyond",
							   .title = "beyond",
							   .kind = KMA_CELL_BYTES };
	}
	columns[nr++] = (struct kma_sheet_column){
		.title = "share", .kind = KMA_CELL_SHARE, .width = strlen("100.0%"), .fixed = true
	};
	if (bar)
		columns[nr++] = (struct kma_sheet_column){ .title = "",
							   .kind = KMA_CELL_BAR,
							   .width = bar };
	for (unsigned int i = 0; i < keys; i++) {
		view->parts[nr] = i;
		columns[nr++] = (struct kma_sheet_column){
			.shortened = bar && i + 1 == keys,
			.title = report->key_title ?: kma_keys[report->by.list[i]].title,
			.kind = KMA_CELL_TEXT,
		};
	}
	view->sheet = (struct kma_sheet){ .name = "rows",
					  .columns = columns,
					  .nr_columns = nr,
					  .style = KMA_JSON_INLINE,
					  .cell = report_cell,
					  .json = view->stack ? report_frames : report_aliases,
					  .arg = view,
					  .rows = report->rows->nr,
					  .tail = 1 };
}

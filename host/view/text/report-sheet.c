// SPDX-License-Identifier: GPL-2.0-only
/*
 * report-sheet.c - the rows of a report as a sheet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "report-sheet.h"

/* Sets the cell of a key for people, or of one of its two parts. */
static void kma_report_key_cell(const struct kma_report_sheet *view, const struct kma_row *row,
				size_t column, struct kma_cell *ret)
{
	const char *split = *view->names ? strchr(row->key, KMA_ROW_SPLIT) : NULL;

	if (view->second[column])
		ret->text = split ? split + 1 : "";
	else if (split)
		ret->text = row->label ?: "";
	else
		ret->text = view->columns[column].title && row->label ? row->label : row->key;
}

/* Writes the parts of a text as a JSON list. */
static void kma_report_list(struct kma_json *json, const char *name, const char *text,
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
static void kma_report_aliases(const void *arg, size_t i, struct kma_json *json)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_rows *rows = view->report->rows;

	if (i < rows->nr && rows->rows[i].aliases)
		kma_report_list(json, "aliases", rows->rows[i].aliases, ", ");
}

/* Writes the frames of a stack as a list. */
static void kma_report_frames(const void *arg, size_t i, struct kma_json *json)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_rows *rows = view->report->rows;
	const char *frame = i < rows->nr ? rows->rows[i].key : "";

	if (*frame)
		kma_report_list(json, kma_report_key(view->report), frame, ";");
}

/* Sets a cell. The row after the last one is the total, which has no key for programs. */
static void kma_report_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
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
	switch (view->columns[column].kind) {
	case KMA_CELL_TEXT:
		if (i < rows->nr)
			kma_report_key_cell(view, &rows->rows[i], column, ret);
		else
			ret->text = view->second[column] ? "" : "total";
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

/* Adds the columns of the key for programs, which are first. In JSON a stack is a list instead. */
static size_t kma_report_key_columns(struct kma_report_sheet *view)
{
	const char *name = kma_report_key(view->report);
	char *comma;
	size_t nr = 0;

	if (strchr(name, ',') && strlen(name) < sizeof(view->names)) {
		snprintf(view->names, sizeof(view->names), "%s", name);
		comma = strchr(view->names, ',');
		*comma = '\0';
		view->columns[nr++] = (struct kma_sheet_column){ .name = view->names,
								 .kind = KMA_CELL_TEXT,
								 .optional = true };
		name = comma + 1;
		view->second[nr] = true;
	}
	view->columns[nr++] = (struct kma_sheet_column){
		.name = name,
		.kind = KMA_CELL_TEXT,
		.optional = true,
		.csv_only = !view->report->key && view->report->by == KMA_BY_STACK,
	};
	return nr;
}

void kma_report_sheet_init(struct kma_report_sheet *view, const struct kma_report *report,
			   size_t bar)
{
	static const enum kma_cell_kind kinds[] = {
		[KMA_UNIT_BYTES] = KMA_CELL_BYTES,
		[KMA_UNIT_COUNT] = KMA_CELL_COUNT,
		[KMA_UNIT_NS] = KMA_CELL_NS_LONG,
	};
	unsigned int have = kma_report_have(report), shown = report->columns ?: have;
	struct kma_sheet_column *columns = view->columns;
	bool stacks = !report->key && report->by == KMA_BY_STACK;
	size_t nr;

	*view = (struct kma_report_sheet){ .report = report };
	nr = kma_report_key_columns(view);
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
	columns[nr++] = (struct kma_sheet_column){
		.title = "share", .kind = KMA_CELL_SHARE, .width = strlen("100.0%"), .fixed = true
	};
	if (bar)
		columns[nr++] = (struct kma_sheet_column){ .title = "",
							   .kind = KMA_CELL_BAR,
							   .width = bar };
	if (*view->names)
		columns[nr++] =
			(struct kma_sheet_column){ .title = view->names, .kind = KMA_CELL_TEXT };
	view->second[nr] = *view->names;
	columns[nr++] = (struct kma_sheet_column){
		.shortened = bar,
		.title = *view->names	   ? view->names + strlen(view->names) + 1 :
			 report->key_title ?:
					     kma_by_titles[report->by],
		.kind = KMA_CELL_TEXT,
	};
	view->sheet = (struct kma_sheet){ .name = "rows",
					  .columns = columns,
					  .nr_columns = nr,
					  .style = KMA_JSON_INLINE,
					  .cell = kma_report_cell,
					  .json = stacks ? kma_report_frames : kma_report_aliases,
					  .arg = view,
					  .rows = report->rows->nr,
					  .tail = 1 };
}

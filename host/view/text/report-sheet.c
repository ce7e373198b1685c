// SPDX-License-Identifier: GPL-2.0-only
/*
 * report-sheet.c - the rows of a report as a sheet.
 */
#include <string.h>

#include "report-sheet.h"

/* The row behind the last one is the total, which has no key for programs. */
static void kma_report_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct kma_report_sheet *view = arg;
	const struct kma_report *report = view->report;
	const struct kma_rows *rows = report->rows;
	const struct kma_values *values = i < rows->nr ? rows->rows[i].values : &rows->total;
	const struct kma_metric *attr = &kma_metrics[report->attr];

	if (!column && i < rows->nr)
		kma_rows_prefetch(rows, i);
	switch (view->columns[column].kind) {
	case KMA_CELL_TEXT:
		ret->text = i < rows->nr ? rows->rows[i].key : "total";
		ret->none = !column && i >= rows->nr;
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
	size_t nr = 0;

	*view = (struct kma_report_sheet){ .report = report };
	columns[nr++] = (struct kma_sheet_column){ .name = kma_report_key(report),
						   .kind = KMA_CELL_TEXT,
						   .optional = true };
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
	columns[nr++] = (struct kma_sheet_column){
		.title = "share", .kind = KMA_CELL_SHARE, .width = strlen("100.0%"), .fixed = true
	};
	if (bar)
		columns[nr++] = (struct kma_sheet_column){ .title = "",
							   .kind = KMA_CELL_BAR,
							   .width = bar };
	columns[nr++] = (struct kma_sheet_column){
		.shortened = bar,
		.title = report->key_title ?: kma_by_titles[report->by],
		.kind = KMA_CELL_TEXT,
	};
	view->sheet = (struct kma_sheet){ .name = "rows",
					  .columns = columns,
					  .nr_columns = nr,
					  .style = KMA_JSON_INLINE,
					  .cell = kma_report_cell,
					  .arg = view,
					  .rows = report->rows->nr,
					  .tail = 1 };
}

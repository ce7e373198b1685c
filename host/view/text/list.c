// SPDX-License-Identifier: GPL-2.0
/*
 * list.c - a branch of a tree as a report.
 */
#include "list.h"

struct kma_err *kma_list_write(const struct kma_list *list, const struct kma_report *report,
			       struct kma_strbuf *out)
{
	struct kma_report full = *report;
	struct kma_rows rows;
	struct kma_err *err;

	err = kma_rows_init(&rows, list->branch, report->by, list->depth);
	if (!err) {
		kma_rows_sort(&rows, list->sort);
		err = kma_rows_top(&rows, list->top);
	}
	full.rows = &rows;
	if (!err)
		kma_views[list->format]->write(&full, out);
	kma_rows_deinit(&rows);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.c - write a branch of a tree as a report.
 */
#include <unistd.h>

#include "list.h"
#include "report-text.h"
#include "screen.h"

/* Checks whether the list goes to a terminal, and gets the terminal's size. */
static bool kma_list_screen(const struct kma_list *list, struct kma_screen *ret)
{
	*ret = (struct kma_screen){ .sort = list->sort,
				    .columns = list->columns,
				    .rows = list->top };
	return list->fit && list->format == KMA_FORMAT_TABLE &&
	       kma_terminal_size(STDOUT_FILENO, &ret->size);
}

struct kma_err *kma_list_write(const struct kma_list *list, const struct kma_report *report,
			       struct kma_strbuf *out)
{
	struct kma_report full = *report;
	struct kma_screen screen;
	struct kma_rows rows;
	struct kma_err *err;

	err = kma_rows_init(&rows, list->branch, report->by, list->depth);
	if (!err) {
		kma_rows_sort(&rows, list->sort);
		err = kma_rows_top(&rows, list->top);
	}
	full.rows = &rows;
	if (!err && kma_list_screen(list, &screen))
		err = kma_screen_text(&full, &rows, &screen, out);
	else if (!err)
		kma_report_text(&full, list->format, out);
	kma_rows_deinit(&rows);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.h - write a report for a terminal: the largest rows that fit, with a bar for each share,
 * one row for the others, and the total. Below the table, a few lines name the events that the
 * account did not count. The report never scrolls, except if the user chose the number of rows.
 */
#ifndef KMA_VIEW_TEXT_SCREEN_H
#define KMA_VIEW_TEXT_SCREEN_H

#include "lib/terminal.h"
#include "view.h"

struct kma_screen {
	struct kma_terminal size;
	enum kma_metric_id sort; /* order of the rows; its column is always shown */
	bool columns;		 /* the user named the columns: all of them stay */
	bool rows;		 /* the user chose the number of rows: all of them are shown */
};

/**
 * kma_screen_text() - write a report for a terminal
 * @report: the report; @report->rows is the same as @rows
 * @rows: sorted; the rows that do not fit are combined into one, "N more rows"
 * @screen: the size of the terminal
 * @out: the report is appended
 *
 * Rows whose sort value is 0 are combined, too. Columns that do not fit next to the names are left
 * out, and named below the table.
 */
struct kma_err *kma_screen_text(const struct kma_report *report, struct kma_rows *rows,
				const struct kma_screen *screen, struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_SCREEN_H */

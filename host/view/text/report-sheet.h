/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report-sheet.h - the rows of a report and their total as a sheet, for the document
 * (report-text.c) and for a terminal (list.c).
 */
#ifndef KMA_VIEW_TEXT_REPORT_SHEET_H
#define KMA_VIEW_TEXT_REPORT_SHEET_H

#include "lib/sheet.h"
#include "view.h"

/*
 * Each key has two columns, because it is first for programs and last for people. The kind, the
 * size of the type and the bytes beyond it, the share and its bar are columns, too.
 */
#define KMA_REPORT_COLUMNS (KMA_NR_METRICS + 2 * KMA_KEYS_MAX + 5)

struct kma_report_sheet {
	const struct kma_report *report;
	struct kma_sheet_column columns[KMA_REPORT_COLUMNS];
	enum kma_metric_id ids[KMA_REPORT_COLUMNS]; /* number of the columns of metrics */
	unsigned int parts[KMA_REPORT_COLUMNS];	    /* of the columns of keys: number of the key */
	size_t kind; /* number of the column of the kind; 0: there is none */
	size_t type; /* number of the column sizeof, before that of the bytes beyond; 0: none */
	unsigned int stack; /* number of the key that is a stack, plus 1; 0: there is none */
	struct kma_strbuf *scratch; /* the text of one cell */
	char name[KMA_KEYS_NAME];
	struct kma_sheet sheet;
	size_t bars;   /* the number of rows with a bar */
	uint64_t most; /* the share that has the longest bar */
};

/*
 * Makes the sheet of a report, which has to live as long as @view; the caller must not move @view.
 * @bar, for a terminal: columns of the longest bar, and names are shortened; 0: no terminal.
 * @scratch holds the text of one cell at a time, and has to live as long, too.
 */
void kma_report_sheet_init(struct kma_report_sheet *view, const struct kma_report *report,
			   size_t bar, struct kma_strbuf *scratch);

#endif /* KMA_VIEW_TEXT_REPORT_SHEET_H */

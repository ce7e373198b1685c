// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.c - write a branch of a tree as a report.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/doc.h"
#include "lib/escape.h"
#include "lib/fit.h"
#include "lib/terminal.h"
#include "list.h"
#include "report-sheet.h"
#include "report-text.h"
#include "view.h"

/*
 * Write a report for a terminal: the largest rows that fit, with a bar for each share,
 * one row for the others, and the total. Below the table, a few lines name the events that the
 * account did not count. The report never scrolls, except if the user chose the number of rows.
 */

struct kma_screen {
	struct kma_terminal size;
	enum kma_metric_id sort; /* order of the rows; its column is always shown */
	bool columns;		 /* the user named the columns: all of them stay */
	bool rows;		 /* the user chose the number of rows: all of them are shown */
};

#define KMA_SCREEN_GAP	   2  /* blanks between columns */
#define KMA_SCREEN_SHARE   6  /* columns of the share */
#define KMA_SCREEN_BAR_MIN 4  /* columns of the longest bar, on a narrow terminal */
#define KMA_SCREEN_BAR_MAX 24 /* columns of the longest bar, on a wide one */
#define KMA_SCREEN_ROWS	   3  /* minimum number of rows on a small terminal */
#define KMA_SCREEN_TALL	   20 /* lines from which the notes have the names of kernel and columns */
#define KMA_SCREEN_NAME	   24 /* width of "N more rows (--all)" */

/* Columns of the longest bar: an eighth of the line, within limits. */
static size_t screen_bar(const struct kma_screen *screen)
{
	size_t bar = screen->size.columns / 8;

	return bar < KMA_SCREEN_BAR_MIN ? KMA_SCREEN_BAR_MIN :
	       bar > KMA_SCREEN_BAR_MAX ? KMA_SCREEN_BAR_MAX :
					  bar;
}

/* The width of a metric's column, for the rows that may be shown and the total. */
static size_t screen_width(const struct kma_report *report, const struct kma_screen *screen,
			   enum kma_metric_id id)
{
	const struct kma_metric *metric = &kma_metrics[id];
	enum kma_unit unit = report->bytes ? KMA_UNIT_COUNT : metric->unit;
	const struct kma_rows *rows = report->rows;
	size_t width = strlen(metric->title), len;

	len = kma_units_len(metric->get(&rows->total), unit);
	width = len > width ? len : width;
	for (size_t i = 0; i < rows->nr && i < screen->size.lines; i++) {
		len = kma_units_len(metric->get(rows->rows[i].values), unit);
		width = len > width ? len : width;
	}
	return width + KMA_SCREEN_GAP;
}

/*
 * Leaves out columns that are 0 in all rows. Then leaves out columns from the last one on, until
 * names have two fifths of the line. The metric of the report and that of the sort always stay.
 */
static unsigned int screen_columns(const struct kma_report *report, const struct kma_screen *screen)
{
	unsigned int set = report->columns ?: kma_report_have(report);
	size_t room = screen->size.columns - screen->size.columns * 2 / 5, used;

	if (screen->columns)
		return set;
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (id != report->attr && id != screen->sort &&
		    !kma_metrics[id].get(&report->rows->total))
			set &= ~(1U << id);
	used = KMA_SCREEN_SHARE + KMA_SCREEN_GAP + screen_bar(screen) + KMA_SCREEN_GAP;
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (set & 1U << id)
			used += screen_width(report, screen, id);
	for (unsigned int id = KMA_NR_METRICS; id-- > 0 && used > room;) {
		if (!(set & 1U << id) || id == report->attr || id == screen->sort)
			continue;
		used -= screen_width(report, screen, id);
		set &= ~(1U << id);
	}
	return set;
}

/* Writes the kinds of losses that the input does not report: "; unknown: a, b". */
static void screen_unknown(const struct kma_report *report, struct kma_strbuf *out)
{
	const char *comma = "; unknown: ";
	uint64_t events;

	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (kma_account_loss(report->account, id, &events))
			continue;
		kma_strbuf_printf(out, "%s%s", comma, kma_losses[id].title);
		comma = ", ";
	}
}

static void screen_losses(const struct kma_report *report, struct kma_strbuf *out)
{
	char bytes[KMA_NUMBER_LEN], share[KMA_NUMBER_LEN];
	const char *comma = "";
	uint64_t events;

	/* Static sizes have no account and thus no events. */
	if (!kma_account_metrics(report->account))
		return;
	kma_strbuf_puts(out, "Not counted: ");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(report->account, id, &events) || !events)
			continue;
		kma_strbuf_printf(out, "%s%" PRIu64 " %s", comma, events, kma_losses[id].title);
		comma = ", ";
	}
	kma_strbuf_puts(out, *comma ? "" : "nothing");
	screen_unknown(report, out);
	kma_strbuf_puts(out, ".");
	if (!kma_report_has_unresolved(report) || !report->unresolved)
		return;
	kma_units_format(bytes, sizeof(bytes), report->unresolved,
			 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES);
	kma_percent_format(share, sizeof(share), report->unresolved,
			   kma_account_total(report->account)->current);
	kma_strbuf_printf(out, " Live without a directory: %s (%s).", bytes, share);
}

/* Writes the text below the table, as one paragraph. */
static void screen_notes(const struct kma_report *report, const struct kma_screen *screen,
			 unsigned int columns, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf accuracy = { 0 };
	unsigned int hidden = (report->columns ?: kma_report_have(report)) & ~columns;
	bool tall = screen->size.lines >= KMA_SCREEN_TALL;
	const char *comma = "Columns left out: ";

	kma_report_types(report, out);
	kma_strbuf_puts(out, out->len ? " " : "");
	kma_report_stacks(report, out);
	kma_strbuf_puts(out, out->len && out->str[out->len - 1] != ' ' ? " " : "");
	screen_losses(report, out);
	kma_report_accuracy(report, &accuracy);
	if (accuracy.len)
		kma_strbuf_printf(out, " %s", accuracy.str);
	kma_strbuf_puts(out, hidden && out->len ? " " : "");
	if (hidden && !tall)
		kma_strbuf_printf(out, "%d column%s left out", __builtin_popcount(hidden),
				  hidden & (hidden - 1) ? "s" : "");
	for (unsigned int id = 0; id < KMA_NR_METRICS && tall; id++) {
		if (!(hidden & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s%s", comma, kma_metrics[id].title);
		comma = ", ";
	}
	kma_strbuf_puts(out, hidden ? "." : "");
	if (!tall || !report->build_id || !*report->build_id)
		return;
	kma_strbuf_puts(out, " Kernel ");
	kma_escape_plain(out, *report->release ? report->release : "of an unknown release");
	kma_strbuf_puts(out, ", build ID ");
	kma_escape_plain(out, report->build_id);
	kma_strbuf_puts(out, ".");
}

/* Counts the rows whose sort value is not 0. They come first. */
static size_t screen_some(const struct kma_rows *rows)
{
	size_t some = rows->nr;

	while (some && !rows->rows[some - 1].order)
		some--;
	return some;
}

/*
 * Combines the rows that do not fit. @names: the width for names; @below: lines below the table;
 * @bars: set to the number of the rows that are not combined.
 */
static void screen_rows(struct kma_rows *rows, const struct kma_screen *screen, size_t names,
			size_t below, size_t *bars)
{
	size_t some = screen_some(rows), keep, rest;
	/* The heading, the row of the others, the total; the shell's prompt. */
	size_t taken = 4 + below;
	char key[48];

	*bars = rows->nr;
	if (screen->rows)
		return;
	keep = screen->size.lines > taken + KMA_SCREEN_ROWS ? screen->size.lines - taken :
							      KMA_SCREEN_ROWS;
	/* The last row takes the same line as "1 more row" would. */
	if (some == rows->nr && some <= keep + 1)
		return;
	keep = some < keep ? some : keep;
	rest = rows->nr - keep;
	*bars = keep;
	snprintf(key, sizeof(key), "%zu more row%s%s", rest, rest > 1 ? "s" : "",
		 names < KMA_SCREEN_NAME ? "" : " (--all)");
	kma_rows_gather(rows, keep, key);
}

/* The width that is left for names. */
static size_t screen_names(const struct kma_report *report, const struct kma_screen *screen)
{
	size_t used = KMA_SCREEN_SHARE + KMA_SCREEN_GAP + screen_bar(screen) + KMA_SCREEN_GAP;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (report->columns & 1U << id)
			used += screen_width(report, screen, id);
	return screen->size.columns > used ? screen->size.columns - used : 0;
}

/*
 * Writes a report for a terminal; @rows, which are sorted, are those of the report. Rows that do
 * not fit, and those whose sort value is 0, are combined into one, "N more rows". Columns that do
 * not fit next to the names are left out, and named below the table.
 */
static void screen_text(const struct kma_report *report, struct kma_rows *rows,
			const struct kma_screen *screen, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf notes = { 0 }, lines = { 0 }, cell = { 0 };
	struct kma_doc doc = { .bytes = report->bytes, .width = screen->size.columns };
	struct kma_report shown = *report;
	struct kma_report_sheet view;
	size_t below, bars;

	shown.columns = screen_columns(report, screen);
	screen_notes(report, screen, shown.columns, &notes);
	below = kma_fit_wrap(&lines, notes.str ?: "", screen->size.columns);
	/* An empty line, if lines are left. */
	below += below && screen->size.lines >= KMA_SCREEN_TALL;
	screen_rows(rows, screen, screen_names(&shown, screen), below, &bars);
	kma_report_sheet_init(&view, &shown, screen_bar(screen), &cell);
	view.bars = bars;
	for (size_t i = 0; i < bars; i++)
		if (kma_metrics[report->attr].get(rows->rows[i].values) > view.most)
			view.most = kma_metrics[report->attr].get(rows->rows[i].values);
	kma_doc_begin(&doc, KMA_FORMAT_TABLE, "", 0, out);
	kma_sheet_write(&view.sheet, &doc);
	if (lines.len && screen->size.lines >= KMA_SCREEN_TALL)
		kma_strbuf_puts(out, "\n");
	kma_strbuf_puts(out, lines.str ?: "");
	kma_doc_end(&doc);
}

/* Checks whether the list goes to a terminal, and gets the terminal's size. */
static bool list_screen(const struct kma_list *list, struct kma_screen *ret)
{
	*ret = (struct kma_screen){ .sort = list->sort,
				    .columns = list->columns,
				    .rows = list->top };
	return list->fit && list->format == KMA_FORMAT_TABLE &&
	       kma_terminal_size(STDOUT_FILENO, &ret->size);
}

void kma_list_write(const struct kma_list *list, const struct kma_report *report,
		    struct kma_strbuf *out)
{
	struct kma_report full = *report;
	struct kma_screen screen;
	struct kma_rows rows;

	kma_rows_init(&rows, list->branch, &report->by, list->depth);
	kma_rows_sort(&rows, list->sort);
	kma_rows_top(&rows, list->top);
	full.rows = &rows;
	if (list_screen(list, &screen))
		screen_text(&full, &rows, &screen, out);
	else
		kma_report_text(&full, list->format, out);
	kma_rows_deinit(&rows);
}

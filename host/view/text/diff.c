// SPDX-License-Identifier: GPL-2.0
/*
 * diff.c - a comparison as text. The header of the table says which input is which:
 * people have been known to take one for the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "view.h"

#define KMA_CELL 32

static const char *const kma_side_names[KMA_NR_DIFF_SIDES] = { "before", "after" };

enum kma_diff_column { KMA_COL_BEFORE, KMA_COL_AFTER, KMA_COL_DELTA, KMA_COL_PERCENT, KMA_NR_COLS };

static const char *const kma_column_titles[KMA_NR_COLS] = { "before", "after", "delta", "percent" };

static uint64_t kma_side(const struct kma_diff_report *report, const struct kma_diff_row *row,
			 enum kma_diff_side side)
{
	return kma_metrics[report->metric].get(&row->values[side]);
}

/* The change with its sign apart, as 64 bits do not hold both. */
static uint64_t kma_delta(const struct kma_diff_report *report, const struct kma_diff_row *row,
			  const char **sign)
{
	uint64_t before = kma_side(report, row, KMA_DIFF_BEFORE);
	uint64_t after = kma_side(report, row, KMA_DIFF_AFTER);

	*sign = after > before ? "+" : after < before ? "-" : "";
	return after > before ? after - before : before - after;
}

static bool kma_has_percent(const struct kma_diff_report *report, const struct kma_diff_row *row)
{
	return kma_side(report, row, KMA_DIFF_BEFORE);
}

static double kma_percent(const struct kma_diff_report *report, const struct kma_diff_row *row)
{
	double before = kma_side(report, row, KMA_DIFF_BEFORE);

	return 100 * (kma_side(report, row, KMA_DIFF_AFTER) - before) / before;
}

static void kma_percent_cell(const struct kma_diff_report *report, const struct kma_diff_row *row,
			     char *buf)
{
	if (row->state == KMA_DIFF_NEW || row->state == KMA_DIFF_GONE)
		snprintf(buf, KMA_CELL, "%s", kma_diff_states[row->state]);
	else if (row->state == KMA_DIFF_SAME)
		snprintf(buf, KMA_CELL, "-");
	else if (kma_has_percent(report, row))
		snprintf(buf, KMA_CELL, "%+.1f%%", kma_percent(report, row));
	else
		snprintf(buf, KMA_CELL, "from 0");
}

static const char *kma_diff_column(const struct kma_diff_report *report)
{
	return report->key ?: kma_by_names[report->by];
}

static void kma_diff_cell(const struct kma_diff_report *report, const struct kma_diff_row *row,
			  enum kma_diff_column column, char *buf)
{
	enum kma_unit unit = report->bytes ? KMA_UNIT_COUNT : kma_metrics[report->metric].unit;
	const char *sign;
	uint64_t delta;

	if (column == KMA_COL_PERCENT) {
		kma_percent_cell(report, row, buf);
	} else if (column == KMA_COL_DELTA) {
		delta = kma_delta(report, row, &sign);
		strcpy(buf, sign);
		kma_units_format(buf + strlen(sign), KMA_CELL - 1, delta, unit);
	} else {
		kma_units_format(buf, KMA_CELL,
				 kma_side(report, row,
					  column == KMA_COL_AFTER ? KMA_DIFF_AFTER :
								    KMA_DIFF_BEFORE),
				 unit);
	}
}

static void kma_diff_measure(const struct kma_diff_report *report, const struct kma_diff_row *row,
			     int *widths)
{
	char buf[KMA_CELL];

	for (unsigned int i = 0; i < KMA_NR_COLS; i++) {
		int len;

		kma_diff_cell(report, row, i, buf);
		len = strlen(buf);
		if (len > widths[i])
			widths[i] = len;
	}
}

static void kma_diff_table_row(const struct kma_diff_report *report, const struct kma_diff_row *row,
			       const int *widths, struct kma_strbuf *out)
{
	const char *kind = row->kind == KMA_KIND_UNKNOWN ? "" : kma_kind_names[row->kind];
	char buf[KMA_CELL];

	for (unsigned int i = 0; i < KMA_NR_COLS; i++) {
		kma_diff_cell(report, row, i, buf);
		kma_strbuf_printf(out, "%*s  ", widths[i], buf);
	}
	if (kma_diff_has_kinds(report->diff))
		kma_strbuf_printf(out, "%-7s  ", kind);
	kma_escape_plain(out, row->key);
	if (*row->key == '[' && row->nr > 1)
		kma_strbuf_printf(out, " (%zu rows)", row->nr);
	kma_strbuf_puts(out, "\n");
}

static void kma_diff_head(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++) {
		const struct kma_diff_input *input = &report->inputs[side];

		kma_strbuf_printf(out, "%s:%s", kma_side_names[side],
				  side == KMA_DIFF_AFTER ? "  " : " ");
		kma_escape_plain(out, kma_account_name(input->account));
		if (*input->about) {
			kma_strbuf_puts(out, "  (");
			kma_escape_plain(out, input->about);
			kma_strbuf_puts(out, ")");
		}
		kma_strbuf_puts(out, "\n");
	}
	kma_strbuf_printf(out, "shown:  %s", kma_metrics[report->metric].what);
	if (*report->branch) {
		kma_strbuf_puts(out, " of ");
		kma_escape_plain(out, report->branch);
	}
	if (report->by == KMA_BY_CALLER && report->match == KMA_DIFF_BY_FUNCTION && !report->sizes)
		kma_strbuf_puts(out, ", by function: these are two builds of the kernel");
	kma_strbuf_puts(out, "\n\n");
}

static void kma_diff_losses(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	kma_strbuf_printf(out, "\n%-26s  %12s  %12s\n", "Not counted:", "before", "after");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		kma_strbuf_printf(out, "  %-24s", kma_losses[id].title);
		for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++) {
			uint64_t events;

			if (kma_account_loss(report->inputs[side].account, id, &events))
				kma_strbuf_printf(out, "  %12" PRIu64, events);
			else
				kma_strbuf_printf(out, "  %12s", "not said");
		}
		kma_strbuf_puts(out, "\n");
	}
}

static void kma_diff_table(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	const struct kma_diff_row *total = kma_diff_total(report->diff), *rows;
	int widths[KMA_NR_COLS];
	size_t nr;

	for (unsigned int i = 0; i < KMA_NR_COLS; i++)
		widths[i] = strlen(kma_column_titles[i]);
	rows = kma_diff_rows(report->diff, &nr);
	for (size_t i = 0; i < nr; i++)
		kma_diff_measure(report, &rows[i], widths);
	kma_diff_measure(report, total, widths);
	kma_diff_head(report, out);
	for (unsigned int i = 0; i < KMA_NR_COLS; i++)
		kma_strbuf_printf(out, "%*s  ", widths[i], kma_column_titles[i]);
	if (kma_diff_has_kinds(report->diff))
		kma_strbuf_printf(out, "%-7s  ", "kind");
	kma_strbuf_printf(out, "%s\n", report->key_title ?: kma_by_titles[report->by]);
	for (size_t i = 0; i < nr; i++)
		kma_diff_table_row(report, &rows[i], widths, out);
	kma_diff_table_row(report, total, widths, out);
	if (!report->sizes)
		kma_diff_losses(report, out);
}

static void kma_diff_csv(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	bool kinds = kma_diff_has_kinds(report->diff);
	const struct kma_diff_row *rows;
	size_t nr;

	rows = kma_diff_rows(report->diff, &nr);
	kma_strbuf_printf(out, "%s%s,state,before,after,delta,percent,rows\n",
			  kma_diff_column(report), kinds ? ",kind" : "");
	for (size_t i = 0; i < nr; i++) {
		const struct kma_diff_row *row = &rows[i];
		const char *sign;
		uint64_t delta = kma_delta(report, row, &sign);

		kma_escape_csv(out, row->key);
		if (kinds)
			kma_strbuf_printf(out, ",%s", kma_kind_names[row->kind]);
		kma_strbuf_printf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%s%" PRIu64 ",",
				  kma_diff_states[row->state],
				  kma_side(report, row, KMA_DIFF_BEFORE),
				  kma_side(report, row, KMA_DIFF_AFTER), *sign == '-' ? "-" : "",
				  delta);
		if (kma_has_percent(report, row))
			kma_strbuf_printf(out, "%.2f", kma_percent(report, row));
		kma_strbuf_printf(out, ",%zu\n", row->nr);
	}
}

static void kma_diff_json_row(const struct kma_diff_report *report, const struct kma_diff_row *row,
			      struct kma_strbuf *out)
{
	const char *sign;
	uint64_t delta = kma_delta(report, row, &sign);

	kma_strbuf_printf(out,
			  "\"state\": \"%s\", \"before\": %" PRIu64 ", \"after\": %" PRIu64
			  ", \"delta\": %s%" PRIu64,
			  kma_diff_states[row->state], kma_side(report, row, KMA_DIFF_BEFORE),
			  kma_side(report, row, KMA_DIFF_AFTER), *sign == '-' ? "-" : "", delta);
	if (kma_has_percent(report, row))
		kma_strbuf_printf(out, ", \"percent\": %.2f", kma_percent(report, row));
	kma_strbuf_printf(out, ", \"rows\": %zu", row->nr);
}

static void kma_diff_json_input(const struct kma_diff_input *input, const char *name,
				struct kma_strbuf *out)
{
	const char *release = kma_account_note(input->account, KMA_NOTE_RELEASE), *comma = "";
	uint64_t events;

	kma_strbuf_printf(out, "  \"%s\": {\"input\": ", name);
	kma_escape_json(out, kma_account_name(input->account));
	if (release) {
		kma_strbuf_puts(out, ", \"kernel\": ");
		kma_escape_json(out, release);
	}
	kma_strbuf_puts(out, ", \"not_counted\": {");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(input->account, id, &events))
			continue;
		kma_strbuf_printf(out, "%s\"%s\": %" PRIu64, comma, kma_losses[id].name, events);
		comma = ", ";
	}
	kma_strbuf_puts(out, "}},\n");
}

static void kma_diff_json(const struct kma_diff_report *report, struct kma_strbuf *out)
{
	const struct kma_diff_row *rows;
	size_t nr;

	kma_strbuf_puts(out, "{\n  \"format\": \"kmem-account diff\",\n  \"version\": 1,\n");
	for (unsigned int side = 0; side < KMA_NR_DIFF_SIDES; side++)
		kma_diff_json_input(&report->inputs[side], kma_side_names[side], out);
	kma_strbuf_printf(out, "  \"by\": \"%s\",\n  \"attr\": \"%s\",\n", kma_diff_column(report),
			  kma_metrics[report->metric].name);
	if (report->by == KMA_BY_CALLER && !report->sizes)
		kma_strbuf_printf(out, "  \"matched_by\": \"%s\",\n",
				  report->match == KMA_DIFF_BY_SITE ? "site" : "function");
	if (*report->branch) {
		kma_strbuf_puts(out, "  \"branch\": ");
		kma_escape_json(out, report->branch);
		kma_strbuf_puts(out, ",\n");
	}
	kma_strbuf_puts(out, "  \"rows\": [");
	rows = kma_diff_rows(report->diff, &nr);
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_printf(out, "%s\n    {\"%s\": ", i ? "," : "", kma_diff_column(report));
		kma_escape_json(out, rows[i].key);
		kma_strbuf_puts(out, ", ");
		if (kma_diff_has_kinds(report->diff))
			kma_strbuf_printf(out, "\"kind\": \"%s\", ", kma_kind_names[rows[i].kind]);
		kma_diff_json_row(report, &rows[i], out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "\n  ],\n  \"total\": {");
	kma_diff_json_row(report, kma_diff_total(report->diff), out);
	kma_strbuf_puts(out, "}\n}\n");
}

const struct kma_diff_view kma_diff_views[KMA_NR_FORMATS] = {
	{ "table", kma_diff_table },
	{ "csv", kma_diff_csv },
	{ "json", kma_diff_json },
};

// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - a report for people: numbers right-aligned, the owner last, a total,
 * and below it what the account could not count.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/escape.h"
#include "view.h"

#define KMA_CELL  KMA_NUMBER_LEN
#define KMA_GAP	  2 /* blanks between columns */
#define KMA_SHARE 6 /* width of the share */

/* Most owners have a shorter name, with the end of its line. */
#define KMA_TABLE_KEY 48

struct kma_table_column {
	unsigned int id; /* of the metric */
	enum kma_unit unit;
	unsigned int width;
};

struct kma_table {
	const struct kma_report *report;
	struct kma_table_column columns[KMA_NR_METRICS];
	unsigned int nr;
};

static void kma_table_columns(struct kma_table *table)
{
	const struct kma_report *report = table->report;
	unsigned int set = report->columns ?: kma_report_have(report);

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (set & 1U << id)
			table->columns[table->nr++] = (struct kma_table_column){
				.id = id,
				.unit = report->bytes ? KMA_UNIT_COUNT : kma_metrics[id].unit,
				.width = strlen(kma_metrics[id].title),
			};
}

static void kma_table_measure(struct kma_table *table, const struct kma_values *values)
{
	for (unsigned int i = 0; i < table->nr; i++) {
		struct kma_table_column *column = &table->columns[i];
		unsigned int len = kma_units_len(kma_metrics[column->id].get(values), column->unit);

		if (len > column->width)
			column->width = len;
	}
}

/* Of a line, without its owner. */
static size_t kma_table_width(const struct kma_table *table)
{
	size_t width = KMA_SHARE + KMA_GAP;

	for (unsigned int i = 0; i < table->nr; i++)
		width += table->columns[i].width + KMA_GAP;
	return width;
}

/* @text at the right of a column; returns where the next one begins. */
static char *kma_table_cell(char *p, const char *text, size_t len, size_t width)
{
	for (; width > len; width--)
		*p++ = ' ';
	memcpy(p, text, len);
	p += len;
	for (unsigned int i = 0; i < KMA_GAP; i++)
		*p++ = ' ';
	return p;
}

static void kma_table_row(const struct kma_table *table, const struct kma_values *values,
			  const char *key, struct kma_strbuf *out)
{
	const struct kma_report *report = table->report;
	const struct kma_metric *attr = &kma_metrics[report->attr];
	char line[(KMA_NR_METRICS + 1) * (KMA_CELL + KMA_GAP)];
	char text[KMA_CELL], *p = line;

	for (unsigned int i = 0; i < table->nr; i++) {
		const struct kma_table_column *column = &table->columns[i];
		uint64_t value = kma_metrics[column->id].get(values);

		p = kma_table_cell(p, text, kma_units_text(text, value, column->unit),
				   column->width);
	}
	kma_percent_format(text, sizeof(text), attr->get(values), attr->get(&report->rows->total));
	p = kma_table_cell(p, text, strlen(text), KMA_SHARE);
	kma_strbuf_add(out, line, p - line);
	kma_escape_plain(out, key);
	kma_strbuf_add(out, "\n", 1);
}

static void kma_table_head(const struct kma_table *table, struct kma_strbuf *out)
{
	const struct kma_report *report = table->report;

	for (unsigned int i = 0; i < table->nr; i++)
		kma_strbuf_printf(out, "%*s  ", table->columns[i].width,
				  kma_metrics[table->columns[i].id].title);
	kma_strbuf_printf(out, "%*s  %s\n", KMA_SHARE, "share",
			  report->key_title ?: kma_by_titles[report->by]);
}

static void kma_table_losses(const struct kma_report *report, struct kma_strbuf *out)
{
	uint64_t total = kma_account_total(report->account)->current;
	char bytes[KMA_CELL], share[KMA_CELL];
	uint64_t events;

	/* No account, no events: static sizes. */
	if (!kma_account_metrics(report->account))
		return;
	kma_strbuf_puts(out, "\nNot counted:\n");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (kma_account_loss(report->account, id, &events))
			kma_strbuf_printf(out, "  %-26s %" PRIu64 "\n", kma_losses[id].title,
					  events);
		else
			kma_strbuf_printf(out, "  %-26s the input does not say\n",
					  kma_losses[id].title);
	}
	/* Of an input that has no live bytes this would be a zero that is none. */
	if (!report->has_source || !(kma_account_metrics(report->account) & 1U << KMA_CURRENT))
		return;
	kma_units_format(bytes, sizeof(bytes), report->unresolved,
			 report->bytes ? KMA_UNIT_COUNT : KMA_UNIT_BYTES);
	kma_percent_format(share, sizeof(share), report->unresolved, total);
	kma_strbuf_printf(out, "  %-26s %s (%s)\n", "live without a directory", bytes, share);
}

/* Whose account it is: two reports with one build ID can be compared. */
static void kma_table_kernel(const struct kma_report *report, struct kma_strbuf *out)
{
	if (!report->build_id || !*report->build_id)
		return;
	kma_strbuf_puts(out, "\nKernel ");
	kma_escape_plain(out, *report->release ? report->release : "of an unknown release");
	kma_strbuf_puts(out, ", build ID ");
	kma_escape_plain(out, report->build_id);
	kma_strbuf_puts(out, "\n");
}

static void kma_table_write(const struct kma_report *report, struct kma_strbuf *out)
{
	struct kma_table table = { .report = report };
	const struct kma_rows *rows = report->rows;

	kma_table_columns(&table);
	for (size_t i = 0; i < rows->nr; i++) {
		kma_rows_prefetch(rows, i);
		kma_table_measure(&table, rows->rows[i].values);
	}
	kma_table_measure(&table, &rows->total);
	kma_strbuf_expect(out, rows->nr * (kma_table_width(&table) + KMA_TABLE_KEY));
	kma_table_head(&table, out);
	for (size_t i = 0; i < rows->nr; i++) {
		kma_rows_prefetch(rows, i);
		kma_table_row(&table, rows->rows[i].values, rows->rows[i].key, out);
	}
	kma_table_row(&table, &rows->total, "total", out);
	kma_table_losses(report, out);
	kma_table_kernel(report, out);
}

const struct kma_view_ops kma_view_table = { .name = "table", .write = kma_table_write };

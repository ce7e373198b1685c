// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - a report for people: numbers right-aligned, the owner last, a total,
 * and below it what the account could not count.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../lib/escape.h"
#include "view.h"

#define KMA_CELL 32

struct kma_table {
	const struct kma_report *report;
	unsigned int metrics; /* set of columns */
	int width[KMA_NR_METRICS];
};

static void kma_table_cell(const struct kma_table *table, unsigned int id,
			   const struct kma_values *values, char *buf)
{
	enum kma_unit unit = table->report->bytes ? KMA_UNIT_COUNT : kma_metrics[id].unit;

	kma_units_format(buf, KMA_CELL, kma_metrics[id].get(values), unit);
}

static void kma_table_measure(struct kma_table *table, const struct kma_values *values)
{
	char buf[KMA_CELL];

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		int len;

		if (!(table->metrics & 1U << id))
			continue;
		kma_table_cell(table, id, values, buf);
		len = strlen(buf);
		if (len > table->width[id])
			table->width[id] = len;
	}
}

static void kma_table_row(const struct kma_table *table, const struct kma_values *values,
			  const char *key, struct kma_strbuf *out)
{
	const struct kma_report *report = table->report;
	const struct kma_metric *attr = &kma_metrics[report->attr];
	char buf[KMA_CELL];

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(table->metrics & 1U << id))
			continue;
		kma_table_cell(table, id, values, buf);
		kma_strbuf_right(out, buf, table->width[id]);
		kma_strbuf_puts(out, "  ");
	}
	kma_percent_format(buf, sizeof(buf), attr->get(values), attr->get(&report->rows->total));
	kma_strbuf_right(out, buf, 6);
	kma_strbuf_puts(out, "  ");
	kma_escape_plain(out, key);
	kma_strbuf_puts(out, "\n");
}

static void kma_table_head(struct kma_table *table, struct kma_strbuf *out)
{
	const struct kma_report *report = table->report;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		int len = strlen(kma_metrics[id].title);

		if (!(table->metrics & 1U << id))
			continue;
		if (len > table->width[id])
			table->width[id] = len;
		kma_strbuf_printf(out, "%*s  ", table->width[id], kma_metrics[id].title);
	}
	kma_strbuf_printf(out, "%6s  %s\n", "share",
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
	if (!report->has_source)
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

	table.metrics = report->columns ?: kma_report_have(report);
	for (size_t i = 0; i < rows->nr; i++)
		kma_table_measure(&table, &rows->rows[i].values);
	kma_table_measure(&table, &rows->total);
	kma_table_head(&table, out);
	for (size_t i = 0; i < rows->nr; i++)
		kma_table_row(&table, &rows->rows[i].values, rows->rows[i].key, out);
	kma_table_row(&table, &rows->total, "total", out);
	kma_table_losses(report, out);
	kma_table_kernel(report, out);
}

const struct kma_view_ops kma_view_table = { .name = "table", .write = kma_table_write };

// SPDX-License-Identifier: GPL-2.0
/*
 * csv.c - a report as RFC 4180 values: one header line, then the rows.
 */
#include "lib/escape.h"
#include "view.h"

/* Most texts are shorter, with what is between them. */
#define KMA_CSV_KEY    48
#define KMA_CSV_NUMBER 8

static void kma_csv_write(const struct kma_report *report, struct kma_strbuf *out)
{
	unsigned int metrics = kma_report_have(report);

	kma_strbuf_expect(out, report->rows->nr * (KMA_CSV_KEY +
						   KMA_CSV_NUMBER * __builtin_popcount(metrics)));
	kma_strbuf_puts(out, kma_report_key(report));
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (metrics & 1U << id)
			kma_strbuf_printf(out, ",%s", kma_metrics[id].name);
	kma_strbuf_puts(out, "\n");
	for (size_t i = 0; i < report->rows->nr; i++) {
		const struct kma_row *row = &report->rows->rows[i];

		kma_rows_prefetch(report->rows, i);
		kma_escape_csv(out, row->key);
		for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
			if (metrics & 1U << id) {
				kma_strbuf_puts(out, ",");
				kma_strbuf_u64(out, kma_metrics[id].get(row->values));
			}
		kma_strbuf_puts(out, "\n");
	}
}

const struct kma_view_ops kma_view_csv = { .name = "csv", .write = kma_csv_write };

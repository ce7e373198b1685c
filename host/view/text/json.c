// SPDX-License-Identifier: GPL-2.0
/*
 * json.c - a report as one JSON object; a row to a line, for grep and diff.
 */
#include <inttypes.h>

#include "lib/escape.h"
#include "view.h"

static void kma_json_values(unsigned int metrics, const struct kma_values *values,
			    struct kma_strbuf *out)
{
	const char *comma = "";

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(metrics & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s\"%s\": %" PRIu64, comma, kma_metrics[id].name,
				  kma_metrics[id].get(values));
		comma = ", ";
	}
}

/* What is not known is left out: it is not zero. */
static void kma_json_losses(const struct kma_report *report, struct kma_strbuf *out)
{
	const char *comma = "";
	uint64_t events;

	kma_strbuf_puts(out, "  \"not_counted\": {");
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(report->account, id, &events))
			continue;
		kma_strbuf_printf(out, "%s\"%s\": %" PRIu64, comma, kma_losses[id].name, events);
		comma = ", ";
	}
	if (report->has_source && kma_account_metrics(report->account) & 1U << KMA_CURRENT)
		kma_strbuf_printf(out, "%s\"without_directory\": %" PRIu64, comma,
				  report->unresolved);
	kma_strbuf_puts(out, "}\n");
}

static void kma_json_write(const struct kma_report *report, struct kma_strbuf *out)
{
	unsigned int metrics = kma_report_have(report);

	kma_strbuf_puts(out, "{\n  \"format\": \"kmem-account report\",\n  \"version\": 1,\n");
	kma_strbuf_printf(out, "  \"by\": \"%s\",\n", kma_report_key(report));
	if (*report->release) {
		kma_strbuf_puts(out, "  \"kernel\": ");
		kma_escape_json(out, report->release);
		kma_strbuf_puts(out, ",\n");
	}
	if (report->build_id && *report->build_id) {
		kma_strbuf_puts(out, "  \"build_id\": ");
		kma_escape_json(out, report->build_id);
		kma_strbuf_puts(out, ",\n");
	}
	if (*report->branch) {
		kma_strbuf_puts(out, "  \"branch\": ");
		kma_escape_json(out, report->branch);
		kma_strbuf_puts(out, ",\n");
	}
	kma_strbuf_puts(out, "  \"rows\": [");
	for (size_t i = 0; i < report->rows->nr; i++) {
		const struct kma_row *row = &report->rows->rows[i];

		kma_strbuf_printf(out, "%s\n    {\"%s\": ", i ? "," : "", kma_report_key(report));
		kma_escape_json(out, row->key);
		kma_strbuf_puts(out, metrics ? ", " : "");
		kma_json_values(metrics, row->values, out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "\n  ],\n  \"total\": {");
	kma_json_values(metrics, &report->rows->total, out);
	kma_strbuf_puts(out, "},\n");
	kma_json_losses(report, out);
	kma_strbuf_puts(out, "}\n");
}

const struct kma_view_ops kma_view_json = { .name = "json", .write = kma_json_write };

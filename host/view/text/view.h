/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - the content of a report, which is written as text for people (table) and for programs
 * (csv, json).
 *
 * csv and json have raw bytes with stable names. The key column has the name that was given to
 * --by; then come the metrics, by their names in the metric table. In all formats, rows add up to
 * the total.
 */
#ifndef KMA_VIEW_TEXT_VIEW_H
#define KMA_VIEW_TEXT_VIEW_H

#include "lib/strbuf.h"
#include "lib/units.h"
#include "model/account.h"
#include "rows.h"

/* The content of a report. */
struct kma_report {
	const struct kma_account *account; /* losses and the set of metrics */
	const struct kma_rows *rows;
	unsigned int metrics;	 /* set of metrics; 0: those of the account */
	struct kma_keys by;	 /* meaning of a row */
	const char *key;	 /* name of the key column; NULL: that of @by */
	const char *key_title;	 /* heading of the key column; NULL: that of @by */
	enum kma_metric_id attr; /* metric of the share column */
	unsigned int columns;	 /* metrics in a table; 0: all */
	bool bytes;		 /* table: plain numbers, no KiB */
	bool csv_safe;		 /* csv: guard names that look like formulas */
	bool has_source;	 /* files were looked up */
	uint64_t unresolved;	 /* live bytes without a directory */
	const char *release;	 /* release of the kernel, "" if unknown */
	const char *build_id;	 /* build ID of the kernel, "" or NULL if unknown */
	const char *branch;	 /* branch of the rows; "": all */
	bool titled;		 /* the table says what is counted, model/scope.h */
	uint64_t slab;		 /* slab memory of the machine; 0: unknown */
	const char *only;	 /* rules, and what they leave out; NULL: none */
};

/* The metrics of a report, 1 << enum kma_metric_id. */
static inline unsigned int kma_report_have(const struct kma_report *report)
{
	return report->metrics ?: kma_account_metrics(report->account);
}

/* The name of the key in JSON. */
static inline const char *kma_report_key(const struct kma_report *report, char name[KMA_KEYS_NAME])
{
	return report->key ?: kma_keys_name(&report->by, name);
}

/*
 * Does a report know the bytes without a directory? They are unknown, not 0, for an input without
 * live bytes.
 */
static inline bool kma_report_has_unresolved(const struct kma_report *report)
{
	return report->has_source && kma_account_metrics(report->account) & 1U << KMA_CURRENT;
}

#endif /* KMA_VIEW_TEXT_VIEW_H */

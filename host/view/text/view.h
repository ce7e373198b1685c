/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - reports as text for people (table) and for programs (csv, json).
 *
 * csv and json carry raw bytes under stable names: the key column has the name
 * that was given to --by, then come the metrics by their names in the metric
 * table. Rows add up to the total in all of them.
 */
#ifndef KMA_VIEW_TEXT_VIEW_H
#define KMA_VIEW_TEXT_VIEW_H

#include "lib/strbuf.h"
#include "lib/units.h"
#include "model/account.h"
#include "rows.h"

/* All that a report shows. */
struct kma_report {
	const struct kma_account *account; /* for losses and the set of metrics */
	const struct kma_rows *rows;	   /* what to show */
	unsigned int metrics;		   /* set of them; 0: those of the account */
	enum kma_by by;			   /* what a row is */
	const char *key;		   /* name of the key column; NULL: that of @by */
	const char *key_title;		   /* heading of the key column; NULL: that of @by */
	enum kma_metric_id attr;	   /* the share column is of this */
	unsigned int columns;		   /* table: which of them it shows; 0: all */
	bool bytes;			   /* table: plain numbers, no KiB */
	bool csv_safe;			   /* csv: no name is a formula of a spreadsheet */
	bool has_source;		   /* files were looked up */
	uint64_t unresolved;		   /* live bytes without a directory */
	const char *release;		   /* of the kernel, "" when not known */
	const char *build_id;		   /* the same; NULL is fine, too */
	const char *branch;		   /* the rows are of this branch, "" for all */
};

/**
 * kma_report_have() - what a report knows of each row
 * @report: the report
 *
 * Return: set of 1 << enum kma_metric_id.
 */
static inline unsigned int kma_report_have(const struct kma_report *report)
{
	return report->metrics ?: kma_account_metrics(report->account);
}

/**
 * kma_report_key() - name of the key column
 * @report: the report
 *
 * Return: as in csv and json.
 */
static inline const char *kma_report_key(const struct kma_report *report)
{
	return report->key ?: kma_by_names[report->by];
}

/**
 * kma_report_has_unresolved() - check whether a report knows what has no directory
 * @report: the report
 *
 * Return: false for an input without live bytes: the number would be a zero that is none.
 */
static inline bool kma_report_has_unresolved(const struct kma_report *report)
{
	return report->has_source && kma_account_metrics(report->account) & 1U << KMA_CURRENT;
}

#endif /* KMA_VIEW_TEXT_VIEW_H */

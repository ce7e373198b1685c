/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - a comparison as text, for people (table) and for programs (csv, json).
 *
 * csv and json have raw numbers of one metric with stable names: the key column has the name of
 * --by; then come kind (if both sides have kinds), state (changed, same, new, gone), before,
 * after, delta, percent (absent if before is 0) and rows (the number of rows that this row
 * combines).
 */
#ifndef KMA_VIEW_TEXT_DIFF_H
#define KMA_VIEW_TEXT_DIFF_H

#include "lib/format.h"
#include "lib/strbuf.h"
#include "model/diff.h"
#include "rows.h"

/* One of the two sides. */
struct kma_diff_input {
	const struct kma_account *account; /* name and losses */
	const char *about;		   /* kernel, time and host; "": unknown */
	const char *only;		   /* rules, and what they leave out; NULL: none */
};

struct kma_diff_report {
	const struct kma_diff *diff; /* complete comparison */
	struct kma_diff_input inputs[KMA_NR_DIFF_SIDES];
	struct kma_keys by;    /* meaning of a row */
	const char *key;       /* name of the key column; NULL: that of @by */
	const char *key_title; /* heading of the key column; NULL: that of @by */
	bool sizes; /* a comparison of built trees, which have no call sites and no losses */
	enum kma_diff_match match; /* the key that matched call sites, if @by is the caller */
	enum kma_metric_id metric; /* the compared metric */
	const char *branch;	   /* branch of the rows; "": all */
	bool bytes;		   /* table: plain numbers, no KiB */
	bool csv_safe;		   /* csv: guard names that look like formulas */
	bool fit;		   /* table: on a terminal only what fits */
};

void kma_diff_text(const struct kma_diff_report *report, enum kma_format format,
		   struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_DIFF_H */

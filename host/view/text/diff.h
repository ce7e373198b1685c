/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - a comparison as text, for people (table) and for programs (csv, json).
 *
 * csv and json have raw numbers of one metric under stable names: the key column is
 * named as --by says, then come kind (if both sides tell it), state (changed, same,
 * new, gone), before, after, delta, percent (absent where there was nothing before)
 * and rows (how many are gathered in this one).
 */
#ifndef KMA_VIEW_TEXT_DIFF_H
#define KMA_VIEW_TEXT_DIFF_H

#include "lib/format.h"
#include "lib/strbuf.h"
#include "model/diff.h"
#include "rows.h"

/* One of the two that are compared. */
struct kma_diff_input {
	const struct kma_account *account; /* for its name and losses */
	const char *about;		   /* kernel, when and where it was saved; "" is nothing */
};

struct kma_diff_report {
	const struct kma_diff *diff; /* finished */
	struct kma_diff_input inputs[KMA_NR_DIFF_SIDES];
	enum kma_by by;		   /* what a row is */
	const char *key;	   /* name of the key column; NULL: that of @by */
	const char *key_title;	   /* heading of the key column; NULL: that of @by */
	bool sizes;		   /* of built trees: no call sites, nothing to lose */
	enum kma_diff_match match; /* how call sites were matched, when @by is a caller */
	enum kma_metric_id metric; /* what is compared */
	const char *branch;	   /* the rows are of this branch, "" for all */
	bool bytes;		   /* table: plain numbers, no KiB */
	bool csv_safe;		   /* csv: no name is a formula of a spreadsheet */
};

/**
 * kma_diff_text() - write a comparison
 * @report: the comparison
 * @format: how
 * @out: appended to
 */
void kma_diff_text(const struct kma_diff_report *report, enum kma_format format,
		   struct kma_strbuf *out);

#endif /* KMA_VIEW_TEXT_DIFF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff-verdict.h - decide whether a comparison passes --fail-above, for accounts and for trees; and
 * the options of diff, which both have.
 */
#ifndef KMA_CLI_DIFF_VERDICT_H
#define KMA_CLI_DIFF_VERDICT_H

#include "model/diff.h"
#include "model/metric.h"
#include "rows.h"
#include "session/options.h"

/* The options of diff. Those of call sites are not for built trees. */
struct kma_diff_args {
	struct kma_load_options load; /* of accounts; its metric and branch also of built trees */
	struct kma_sizes_options sizes;
	struct kma_text_options text;
	struct kma_chart_options chart;
	char *const *names; /* the arguments */
	unsigned int nr_names;
	const char *from, *to; /* of a history */
	uint64_t floor;	       /* bytes of change of a row; a row with less is not shown */
	uint64_t fail_above;   /* growth in bytes that fails; valid with has_fail_above */
	bool has_fail_above;
};

/*
 * Prints that @side, as the user gave it, is incomplete. Returns the exit status: with --fail-above,
 * which is then not judged, KMA_EXIT_DATA.
 */
int kma_diff_cannot_tell(const struct kma_diff_args *args, const char *side);

/* Judges the total of a finished comparison by --fail-above. Returns the exit status. */
int kma_diff_verdict(const struct kma_diff_args *args, const struct kma_diff *diff,
		     enum kma_metric_id metric);

#endif /* KMA_CLI_DIFF_VERDICT_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff-verdict.c - decide whether a comparison passes --fail-above.
 */
#include <inttypes.h>

#include "diff-verdict.h"
#include "lib/say.h"

int kma_diff_cannot_tell(const struct kma_diff_args *args, const char *side)
{
	kma_warn("diff: cannot tell what changed: parts of %s could not be read%s", side,
		 args->has_fail_above ? "; --fail-above is not checked" : "");
	return args->has_fail_above ? KMA_EXIT_DATA : KMA_EXIT_OK;
}

int kma_diff_verdict(const struct kma_diff_args *args, const struct kma_diff *diff,
		     enum kma_metric_id metric)
{
	const struct kma_diff_row *total = kma_diff_total(diff);
	uint64_t before = kma_metrics[metric].get(&total->values[KMA_DIFF_BEFORE]);
	uint64_t after = kma_metrics[metric].get(&total->values[KMA_DIFF_AFTER]);

	if (!args->has_fail_above || after <= before || after - before <= args->fail_above)
		return KMA_EXIT_OK;
	kma_warn("diff: %" PRIu64 " %s more than before, --fail-above allows %" PRIu64,
		 after - before, kma_metrics[metric].what, args->fail_above);
	return KMA_EXIT_THRESHOLD;
}

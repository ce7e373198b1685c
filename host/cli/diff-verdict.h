/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff-verdict.h - decide whether a comparison passes --fail-above, for accounts and for trees.
 */
#ifndef KMA_CLI_DIFF_VERDICT_H
#define KMA_CLI_DIFF_VERDICT_H

#include "model/diff.h"
#include "model/metric.h"
#include "session/options.h"

/**
 * kma_diff_cannot_tell() - print that one side of a comparison is incomplete
 * @opts: options of diff; with --fail-above, the line says that it is not judged
 * @side: name of the side, as the user gave it
 *
 * Return: the exit status: KMA_EXIT_DATA with --fail-above, else KMA_EXIT_OK.
 */
int kma_diff_cannot_tell(const struct kma_options *opts, const char *side);

/**
 * kma_diff_verdict() - judge the total of a comparison by --fail-above
 * @opts: options of diff
 * @diff: the comparison, finished
 * @metric: the metric that is compared
 *
 * If the total grew by more than is allowed, prints by how much.
 *
 * Return: the exit status: KMA_EXIT_THRESHOLD if it grew by more, else KMA_EXIT_OK.
 */
int kma_diff_verdict(const struct kma_options *opts, const struct kma_diff *diff,
		     enum kma_metric_id metric);

#endif /* KMA_CLI_DIFF_VERDICT_H */

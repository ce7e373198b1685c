/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groupings.h - the trees of an account by other keys than directories: stacks, cgroups, NUMA
 * nodes, and the rows of a report. A picture shows one of them; a page has all that the input
 * knows, and a switch.
 */
#ifndef KMA_SESSION_GROUPINGS_H
#define KMA_SESSION_GROUPINGS_H

#include "loaded.h"
#include "options.h"
#include "view/chart/chart.h"

struct kma_groupings {
	struct kma_chart_tree trees[KMA_NR_CHART_BY];
	size_t nr;
	struct kma_account *accounts[KMA_NR_CHART_BY]; /* made here, for the trees */
};

/**
 * kma_groupings_init() - make the trees that options ask for
 * @groupings: filled in; to be deinitialised in any case
 * @opts: options; the key, whether a page is written
 * @loaded: a loaded account with its kernel; has to live as long as @groupings
 *
 * Return: NULL or an error: the input does not know the requested key.
 */
struct kma_err *kma_groupings_init(struct kma_groupings *groupings, const struct kma_options *opts,
				   const struct kma_loaded *loaded);

/**
 * kma_groupings_deinit() - free the trees
 * @groupings: from kma_groupings_init()
 */
void kma_groupings_deinit(struct kma_groupings *groupings);

#endif /* KMA_SESSION_GROUPINGS_H */

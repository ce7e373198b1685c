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
 * @several: of several times: those by cgroup and NUMA node are made by kma_over_time_load()
 *
 * Return: NULL or an error: the input does not know the requested key.
 */
struct kma_err *kma_groupings_init(struct kma_groupings *groupings, const struct kma_options *opts,
				   const struct kma_loaded *loaded, bool several);

/**
 * kma_grouping_regroup() - the rows of groups, of the kinds of objects that are shown
 * @opts: the kinds
 * @loaded: a loaded account
 * @by: kind of the groups
 * @ret: an account for the caller to destroy; NULL if the rows of @loaded are those of groups
 *
 * Return: NULL or an error: there are no such groups.
 */
struct kma_err *kma_grouping_regroup(const struct kma_options *opts,
				     const struct kma_loaded *loaded, enum kma_grouped by,
				     struct kma_account **ret);

/**
 * kma_groupings_deinit() - free the trees
 * @groupings: from kma_groupings_init()
 */
void kma_groupings_deinit(struct kma_groupings *groupings);

#endif /* KMA_SESSION_GROUPINGS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groupings.h - build the trees of an account by other keys than directories.
 *
 * The keys are stacks, callers, cgroups, NUMA nodes, and rows of a report such as modules. A
 * picture shows one tree; a page has a tree for each key that the input supports, and a switch.
 */
#ifndef KMA_SESSION_GROUPINGS_H
#define KMA_SESSION_GROUPINGS_H

#include "loaded.h"
#include "options.h"
#include "view/chart/chart.h"

struct kma_groupings {
	struct kma_chart_tree trees[KMA_CHART_TREES];
	size_t nr;				       /* number of @trees */
	struct kma_account *accounts[KMA_CHART_TREES]; /* account made for each tree; or NULL */
};

/**
 * kma_groupings_init() - build the trees that the options request
 * @groupings: filled in; has to be deinitialised also after an error
 * @opts: options: the key, and whether a page is written
 * @loaded: a loaded account with its kernel; has to live as long as @groupings
 * @several: true for accounts over time: kma_over_time_load() makes their trees by group
 *
 * Return: NULL or an error: the input does not have the requested key.
 */
struct kma_err *kma_groupings_init(struct kma_groupings *groupings,
				   const struct kma_load_options *opts,
				   const struct kma_loaded *loaded, bool several);

/**
 * kma_grouping_regroup() - make an account by group, of the kinds of objects that are shown
 * @opts: options: the kinds
 * @loaded: a loaded account
 * @by: kind of the groups
 * @ret: the account, which the caller destroys; NULL if the rows of @loaded are by group already
 *
 * Return: NULL or an error: the account has no such groups.
 */
struct kma_err *kma_grouping_regroup(const struct kma_load_options *opts,
				     const struct kma_loaded *loaded, enum kma_grouped by,
				     struct kma_account **ret);

/**
 * kma_groupings_deinit() - free the trees
 * @groupings: from kma_groupings_init()
 */
void kma_groupings_deinit(struct kma_groupings *groupings);

#endif /* KMA_SESSION_GROUPINGS_H */

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

/*
 * Builds the trees that the options request: the key, and whether a page is written. @loaded has to
 * live as long as @groupings, which has to be deinitialised also after an error: the input does not
 * have the requested key. @several: accounts over time, whose trees by group kma_over_time_load()
 * makes.
 */
struct kma_err *kma_groupings_init(struct kma_groupings *groupings,
				   const struct kma_load_options *opts,
				   const struct kma_loaded *loaded, bool several);

/*
 * Makes an account by group, of the kinds of objects that are shown; the caller destroys it. NULL
 * if the rows of @loaded are by group already. It is an error if the account has no such groups.
 */
struct kma_err *kma_grouping_regroup(const struct kma_load_options *opts,
				     const struct kma_loaded *loaded, enum kma_grouped by,
				     struct kma_account **ret);

void kma_groupings_deinit(struct kma_groupings *groupings);

#endif /* KMA_SESSION_GROUPINGS_H */

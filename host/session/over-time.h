/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * over-time.h - several accounts as one over time: the samples of a history, or the inputs of a
 * command line. A page of them has a slider.
 */
#ifndef KMA_SESSION_OVER_TIME_H
#define KMA_SESSION_OVER_TIME_H

#include "model/groups.h"
#include "over-series.h"

/* The same samples by a kind of groups. */
struct kma_over_groups {
	struct kma_over_series series;
	struct kma_loaded loaded;
	size_t left_out; /* samples without such groups */
	bool full;	 /* too many call sites: there is no tree */
};

struct kma_over_time {
	struct kma_over_series series;
	struct kma_over_groups groups[KMA_NR_GROUPED];
	struct kma_chart_tree trees[KMA_NR_GROUPED]; /* of a page, by group */
	size_t nr_trees;
	size_t damaged; /* inputs, or days of a history, of which something is left out */
};

/**
 * kma_over_time_prepare() - choose how the samples are read
 * @opts: of a command that draws several accounts; if the chart is by cgroup, node or task, each
 *	  input is read by that group, so that there is one tree, by the group. The samples of a
 *	  history have all their groups, so a page of it has several trees
 */
void kma_over_time_prepare(struct kma_options *opts);

/**
 * kma_over_time_load() - read all samples, and make the trees
 * @over: filled in; to be deinitialised in any case, after @loaded was unloaded
 * @opts: from kma_over_time_prepare()
 * @loaded: filled in as by kma_load(); the tree has the numbers of the newest sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_time_load(struct kma_over_time *over, const struct kma_options *opts,
				   struct kma_loaded *loaded);

/**
 * kma_over_time_deinit() - free all samples
 * @over: from kma_over_time_load()
 */
void kma_over_time_deinit(struct kma_over_time *over);

#endif /* KMA_SESSION_OVER_TIME_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * over-time.h - several accounts as one over time, for a page with a slider.
 *
 * The accounts are the samples of a history, or the inputs of a command line. The main series has
 * their call sites. A page of a history may also have trees by cgroup and by NUMA node; each of
 * them is a series of its own over the same samples, because its rows differ.
 */
#ifndef KMA_SESSION_OVER_TIME_H
#define KMA_SESSION_OVER_TIME_H

#include "model/groups.h"
#include "over-series.h"

/* The samples by one kind of groups. */
struct kma_over_groups {
	struct kma_over_series series;
	struct kma_loaded loaded; /* the account and the tree of @series */
	size_t left_out;	  /* number of samples without such groups */
	bool full;		  /* there were too many call sites: there is no tree */
};

struct kma_over_time {
	struct kma_over_series series;		       /* by call site */
	struct kma_over_groups groups[KMA_NR_GROUPED]; /* by enum kma_grouped */
	struct kma_chart_tree trees[KMA_NR_GROUPED];   /* trees of @groups, for a page */
	size_t nr_trees;
	size_t damaged; /* number of inputs, or days of a history, that were not read whole */
};

/**
 * kma_over_time_prepare() - choose how the samples are read
 * @opts: of a command that draws several accounts; groups and kernel.levels may be changed
 *
 * If the chart is by cgroup, node or task, each input of a command line is read by that group, so
 * there is one tree, which is by group. The samples of a history have all their groups except
 * tasks, so a page of it can have several trees.
 */
void kma_over_time_prepare(struct kma_over_options *opts);

/**
 * kma_over_time_load() - read all samples and build the trees
 * @over: filled in; has to be deinitialised also after an error, after @loaded was unloaded
 * @opts: from kma_over_time_prepare()
 * @loaded: filled in as by kma_load(); the tree has the numbers of the newest sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_time_load(struct kma_over_time *over, const struct kma_over_options *opts,
				   struct kma_loaded *loaded);

/**
 * kma_over_time_deinit() - free all samples
 * @over: from kma_over_time_load()
 */
void kma_over_time_deinit(struct kma_over_time *over);

#endif /* KMA_SESSION_OVER_TIME_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * over-time.h - several accounts as one over time: the samples of a history, or the inputs of a
 * command line. A page of them has a slider.
 *
 * The account has all call sites of all samples; a site is the same in all of them if its text, its
 * kind and its group are. A metric that a sample does not have, the whole does not have either.
 */
#ifndef KMA_SESSION_OVER_TIME_H
#define KMA_SESSION_OVER_TIME_H

#include "loaded.h"
#include "model/intern.h"
#include "leaves.h"
#include "options.h"
#include "view/chart/chart.h"

struct kma_over_time {
	struct kma_chart_times times; /* for a chart; of @samples */
	struct kma_over_sample *samples;
	size_t nr, room;
	size_t nr_values; /* of all samples together */
	unsigned int metrics;
	struct kma_account *account; /* until it is loaded */
	struct kma_account *last;    /* the account of the newest sample */
	struct kma_intern *intern;   /* numbers of the sites */
	uint32_t *rows;		     /* number of the site of each row */
	struct kma_leaves leaves;
	struct kma_node *root;
};

/**
 * kma_over_time_prepare() - choose how the samples are read
 * @opts: of a command that draws several accounts; if the chart is by cgroup, node or task, each
 *	  sample is read by that group, so that the tree with the times is by the group
 */
void kma_over_time_prepare(struct kma_options *opts);

/**
 * kma_over_time_load() - read all samples, and make the tree
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

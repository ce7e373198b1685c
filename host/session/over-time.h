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
#include "loaded.h"
#include "model/numbers.h"
#include "options.h"
#include "view/chart/chart.h"

/*
 * The numbers of call sites at several times, as one account and its tree.
 *
 * A page over time shows one tree whose numbers change with a slider. So the series has one account
 * with all call sites of all samples, one tree of it, and for each sample an array of values by the
 * number of the site. times.use() copies the values of one sample into the sites of the account and
 * rolls the tree up. Two samples have the same site if its text, its kind and its group are equal. A
 * site that a sample does not have is 0 there. The series has only the metrics that all samples
 * have.
 *
 * Memory is 176 bytes for each site of each sample. It is limited (KMA_OVER_VALUES); a series
 * beyond the limit is an error that says how to take fewer samples.
 */
struct kma_over_series {
	struct kma_chart_times times; /* for a chart; of @samples */
	struct kma_over_sample *samples;
	size_t nr, room;	     /* number of samples, allocated length */
	size_t nr_values;	     /* sum of the lengths of all arrays of values */
	unsigned int metrics;	     /* set of metrics that all samples have */
	struct kma_account *account; /* all sites; the loaded account takes it over */
	struct kma_account *shown;   /* the loaded account */
	struct kma_account *last;    /* the account that was added last */
	struct kma_numbers *numbers; /* of the sites */
	uint32_t *rows;		     /* number of the site of each row of the account */
	struct kma_node *root;	     /* the tree of the loaded account */
};

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

/*
 * Chooses how the samples are read: groups and kernel.levels of @opts may be changed. If the chart
 * is by cgroup, node or task, each input of a command line is read by that group, so there is one
 * tree, which is by group. The samples of a history have all their groups except tasks, so a page
 * of it can have several trees.
 */
void kma_over_time_prepare(struct kma_over_options *opts);

/*
 * Reads all samples and builds the trees, with the numbers of the newest sample. @over has to be
 * deinitialised also after an error, after @loaded was unloaded.
 */
struct kma_err *kma_over_time_load(struct kma_over_time *over, const struct kma_over_options *opts,
				   struct kma_loaded *loaded);

void kma_over_time_deinit(struct kma_over_time *over);

#endif /* KMA_SESSION_OVER_TIME_H */

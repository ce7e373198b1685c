/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * over-series.h - the numbers of call sites at each of several times, as one account and its tree.
 *
 * The account has all call sites of all samples; a site is the same in all of them if its text, its
 * kind and its group are. A metric that a sample does not have, the whole does not have either.
 */
#ifndef KMA_SESSION_OVER_SERIES_H
#define KMA_SESSION_OVER_SERIES_H

#include "leaves.h"
#include "loaded.h"
#include "model/intern.h"
#include "options.h"
#include "view/chart/chart.h"

struct kma_over_series {
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

/* What was found when samples were put in order. */
struct kma_over_order {
	const char *without; /* name of the first sample without a time; NULL if each has one */
	bool moved;	     /* the order is another one than that of adding */
};

/**
 * kma_over_series_init() - begin a series
 * @over: filled in; to be deinitialised in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_series_init(struct kma_over_series *over);

/**
 * kma_over_series_has_room() - is a page large enough for one more sample?
 * @over: a series
 * @account: the sample
 *
 * Return: false if kma_over_series_add() would say that there are too many call sites.
 */
bool kma_over_series_has_room(const struct kma_over_series *over,
			      const struct kma_account *account);

/**
 * kma_over_series_add() - add a sample
 * @over: a series
 * @account: finished; taken over in any case
 * @ns: its time since 1970 if the account does not know it; 0: not known
 *
 * Return: NULL or an error: too many call sites, no memory.
 */
struct kma_err *kma_over_series_add(struct kma_over_series *over, struct kma_account *account,
				    uint64_t ns);

/**
 * kma_over_series_order() - put the samples in order
 * @over: a series with all samples
 * @by_time: by their times, if all have one; else times that fall stand still
 * @ret: what was found
 */
void kma_over_series_order(struct kma_over_series *over, bool by_time, struct kma_over_order *ret);

/**
 * kma_over_series_load() - make the account and the tree of an ordered series
 * @over: a series
 * @opts: for the kernel; its levels say what is above the call sites
 * @loaded: empty; filled in as by kma_load(); the tree has the numbers of the newest sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_series_load(struct kma_over_series *over, const struct kma_options *opts,
				     struct kma_loaded *loaded);

/**
 * kma_over_series_join() - the same with a kernel that is found already
 * @over: a series
 * @levels: what lies above the call sites in the tree
 * @from: a loaded account with its kernel
 * @loaded: empty; account, tree and has_files are filled in; the tree has the numbers of the newest
 *	    sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_series_join(struct kma_over_series *over, enum kma_join_levels levels,
				     const struct kma_loaded *from, struct kma_loaded *loaded);

/**
 * kma_over_series_deinit() - free all samples
 * @over: from kma_over_series_init(), or all zero; @loaded was unloaded before
 */
void kma_over_series_deinit(struct kma_over_series *over);

#endif /* KMA_SESSION_OVER_SERIES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * over-series.h - the numbers of call sites at several times, as one account and its tree.
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
 *
 * The calls come in this order: init, add for each sample, order, load or join, and after the user
 * of the tree has finished, deinit.
 */
#ifndef KMA_SESSION_OVER_SERIES_H
#define KMA_SESSION_OVER_SERIES_H

#include "loaded.h"
#include "model/numbers.h"
#include "options.h"
#include "view/chart/chart.h"

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

/* Result of kma_over_series_order(). */
struct kma_over_order {
	const char *without; /* name of the first sample without a time; NULL if each has one */
	bool moved;	     /* the order differs from the order of adding */
};

/**
 * kma_over_series_init() - start a series
 * @over: filled in; has to be deinitialised also after an error
 */
void kma_over_series_init(struct kma_over_series *over);

/**
 * kma_over_series_has_room() - test whether one more sample is within the limit
 * @over: a series
 * @account: the sample
 *
 * Return: false if kma_over_series_add() would fail because of too many call sites.
 */
bool kma_over_series_has_room(const struct kma_over_series *over,
			      const struct kma_account *account);

/**
 * kma_over_series_add() - add a sample
 * @over: a series
 * @account: finished; the series takes it over, also on error
 * @ns: time in ns since 1970, used if the account does not have its time; 0: unknown
 *
 * Return: NULL or an error: too many call sites, or out of memory.
 */
struct kma_err *kma_over_series_add(struct kma_over_series *over, struct kma_account *account,
				    uint64_t ns);

/**
 * kma_over_series_order() - put the samples in order
 * @over: a series with all samples
 * @by_time: sort by time, if all samples have one
 * @ret: filled in
 *
 * Without @by_time the order stays, and a time before that of the previous sample is replaced by
 * it. If a sample has no time, all times are dropped.
 */
void kma_over_series_order(struct kma_over_series *over, bool by_time, struct kma_over_order *ret);

/**
 * kma_over_series_load() - make the account and the tree of an ordered series
 * @over: a series
 * @opts: options: the kernel, with the keys of the tree
 * @loaded: zeroed; filled in as by kma_load(); the tree has the numbers of the newest sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_series_load(struct kma_over_series *over,
				     const struct kma_load_options *opts,
				     struct kma_loaded *loaded);

/**
 * kma_over_series_join() - make the account and the tree of an ordered series by an open kernel
 * @over: a series
 * @opts: options: only
 * @by: the keys of the tree
 * @from: a loaded account with its kernel
 * @loaded: zeroed; account, tree and has_files are filled in; the tree has the numbers of the
 *	    newest sample
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_over_series_join(struct kma_over_series *over,
				     const struct kma_load_options *opts, const struct kma_keys *by,
				     const struct kma_loaded *from, struct kma_loaded *loaded);

/**
 * kma_over_series_deinit() - free all samples
 * @over: from kma_over_series_init(), or zeroed; unload its loaded account first
 */
void kma_over_series_deinit(struct kma_over_series *over);

#endif /* KMA_SESSION_OVER_SERIES_H */

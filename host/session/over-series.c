// SPDX-License-Identifier: GPL-2.0-only
/*
 * over-series.c - the numbers of call sites at several times, as one account and its tree.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "load.h"
#include "model/filter.h"
#include "model/loss-series.h"
#include "model/moment.h"
#include "over-series.h"

/*
 * Most values of a series, summed over its samples: 2 Mi values are 352 MiB. A page of a history
 * has up to three series: of the call sites, and of the call sites by cgroup and by NUMA node.
 */
#define KMA_OVER_VALUES (2U << 20)

struct kma_over_sample {
	struct kma_chart_time time;
	struct kma_account *head;  /* name, metrics, losses and notes of its account */
	struct kma_values *values; /* by number of the site */
	size_t nr;		   /* length of @values; later sites have larger numbers */
};

void kma_over_series_init(struct kma_over_series *over)
{
	memset(over, 0, sizeof(*over));
	over->metrics = KMA_METRICS_ALL;
	over->numbers = kma_numbers_create("use fewer inputs");
}

/* Upper bound of the number of sites after an account is added: all of its sites may be new. */
static size_t over_most(const struct kma_over_series *over, const struct kma_account *account)
{
	size_t nr;

	kma_account_sites(account, &nr);
	return kma_numbers_count(over->numbers) + nr;
}

bool kma_over_series_has_room(const struct kma_over_series *over, const struct kma_account *account)
{
	return over->nr_values + over_most(over, account) <= KMA_OVER_VALUES;
}

/* Copies the values of an account. A new site gets the next number and is added to the account. */
static struct kma_err *over_fill(struct kma_over_series *over, struct kma_over_sample *sample,
				 const struct kma_account *account)
{
	uint32_t known = kma_numbers_count(over->numbers);
	const struct kma_site *sites;
	const uint32_t *numbers;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	sample->nr = over_most(over, account);
	over->nr_values += sample->nr;
	if (over->nr_values > KMA_OVER_VALUES)
		return kma_err_create(
			kma_account_name(account), 0,
			"%zu samples have too many call sites for a page; %s", over->nr,
			"use fewer with --points, or a shorter interval with --from and --to");
	sample->values = kma_xcalloc(sample->nr + 1, sizeof(*sample->values));
	err = kma_numbers_of(over->numbers, account, &numbers);
	for (size_t i = 0; i < nr && !err; i++) {
		kma_values_add(&sample->values[numbers[i]], &sites[i].values);
		if (numbers[i] < known)
			continue;
		known = numbers[i] + 1;
		err = kma_account_copy_site(&sites[i], over->account);
	}
	return err;
}

static void over_describe(struct kma_over_sample *sample, const struct kma_account *account,
			  uint64_t ns)
{
	struct kma_moment moment;

	sample->time.ns = kma_moment_of(account, &moment) ? moment.time : ns;
	sample->head = kma_account_create(kma_account_name(account));
	kma_account_copy_head(account, sample->head);
}

struct kma_err *kma_over_series_add(struct kma_over_series *over, struct kma_account *account,
				    uint64_t ns)
{
	struct kma_over_sample *sample;

	kma_account_destroy(over->last);
	over->last = account;
	if (!over->account)
		over->account = kma_account_create(kma_account_name(account));
	kma_array_room(over->samples, over->nr, over->room);
	sample = &over->samples[over->nr++];
	memset(sample, 0, sizeof(*sample));
	over->metrics &= kma_account_metrics(account);
	over_describe(sample, account, ns);
	return over_fill(over, sample, account);
}

static int cmp_over(const void *a, const void *b)
{
	const struct kma_over_sample *x = a, *y = b;

	if (x->time.ns != y->time.ns)
		return x->time.ns < y->time.ns ? -1 : 1;
	return (x->time.order > y->time.order) - (x->time.order < y->time.order);
}

void kma_over_series_order(struct kma_over_series *over, bool by_time, struct kma_over_order *ret)
{
	*ret = (struct kma_over_order){ .without = NULL };
	for (size_t i = 0; i < over->nr; i++) {
		over->samples[i].time.order = i;
		if (!ret->without && !over->samples[i].time.ns)
			ret->without = kma_account_name(over->samples[i].head);
	}
	if (over->nr && by_time && !ret->without)
		qsort(over->samples, over->nr, sizeof(*over->samples), cmp_over);
	for (size_t i = 0; i < over->nr; i++) {
		struct kma_chart_time *time = &over->samples[i].time;

		ret->moved |= time->order != i;
		if (ret->without)
			time->ns = 0;
		else if (i && time->ns < over->samples[i - 1].time.ns)
			time->ns = over->samples[i - 1].time.ns;
	}
}

/* Sets for each sample the events lost since the previous one, and whether a new account starts. */
static void over_breaks(struct kma_over_series *over)
{
	struct kma_moment before = { 0 }, moment;
	struct kma_loss_series losses = { 0 };

	for (size_t i = 0; i < over->nr; i++) {
		struct kma_over_sample *sample = &over->samples[i];
		uint64_t since = losses.since, lost = 0;
		bool said = kma_account_loss(sample->head, KMA_LOSS_NOT_RECORDED, &lost);

		kma_moment_of(sample->head, &moment);
		sample->time.name = kma_chart_base(kma_account_name(sample->head));
		sample->time.begins = i && !kma_moment_same(&moment, &before);
		kma_loss_series_add(&losses, said, lost, sample->time.begins);
		sample->time.lost = losses.since - since;
		before = moment;
	}
}

/*
 * Finishes the account, with name, losses and notes of the newest sample, whose numbers the tree gets
 * first. kma_account_finish() may sort the sites, so over->rows gets the number of each row's site.
 */
static struct kma_err *over_finish(struct kma_over_series *over)
{
	const struct kma_account *newest = over->samples[over->nr - 1].head;
	const uint32_t *numbers;
	struct kma_err *err;
	size_t nr;

	kma_account_rename(over->account, kma_account_name(newest));
	kma_account_copy_head(newest, over->account);
	kma_account_set_metrics(over->account, over->metrics);
	err = kma_account_finish(over->account) ?:
		      kma_numbers_of(over->numbers, over->account, &numbers);
	if (err)
		return err;
	kma_account_sites(over->account, &nr);
	over->rows = kma_xcalloc(nr + 1, sizeof(*over->rows));
	if (nr)
		memcpy(over->rows, numbers, nr * sizeof(*numbers));
	return NULL;
}

/* Copies the values of a sample into the account and its tree. */
static void over_use(void *arg, size_t point)
{
	const struct kma_over_series *over = arg;
	const struct kma_over_sample *sample = &over->samples[point];

	static const struct kma_values none;
	size_t nr;

	kma_account_sites(over->shown, &nr);
	for (size_t i = 0; i < nr; i++)
		kma_account_use_values(over->shown, i,
				       over->rows[i] < sample->nr ? &sample->values[over->rows[i]] :
								    &none);
	kma_node_roll_up(over->root);
}

/* Sums the live bytes without a directory: those of rows in brackets. */
static uint64_t over_unresolved(const struct kma_node *root)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < root->nr_children; i++)
		if (*root->children[i]->name == '[')
			bytes += root->children[i]->values->current;
	return bytes;
}

static const struct kma_chart_time *over_time_at(void *arg, size_t point)
{
	const struct kma_over_series *over = arg;

	return &over->samples[point].time;
}

static struct kma_err *over_close(struct kma_over_series *over, struct kma_loaded *loaded)
{
	struct kma_err *err;

	over_breaks(over);
	err = over_finish(over);
	if (err)
		return err;
	loaded->account = over->shown = over->account;
	over->account = NULL;
	return NULL;
}

static void over_begin(struct kma_over_series *over, struct kma_loaded *loaded)
{
	over->root = loaded->kernel.root;
	over->times = (struct kma_chart_times){
		.nr = over->nr, .at = over_time_at, .use = over_use, .arg = over
	};
	over_use(over, over->nr - 1);
	loaded->kernel.stats.unresolved = over_unresolved(over->root);
}

struct kma_err *kma_over_series_load(struct kma_over_series *over,
				     const struct kma_load_options *opts, struct kma_loaded *loaded)
{
	struct kma_err *err = over_close(over, loaded) ?: kma_load_kernel(opts, loaded);

	if (err)
		return err;
	over_begin(over, loaded);
	return kma_load_suits(opts, loaded);
}

struct kma_err *kma_over_series_join(struct kma_over_series *over,
				     const struct kma_load_options *opts, const struct kma_keys *by,
				     const struct kma_loaded *from, struct kma_loaded *loaded)
{
	struct kma_err *err;

	err = over_close(over, loaded) ?:
		      kma_resolve(loaded->account, from->kernel.source, &loaded->kernel.stats);
	if (err)
		return err;
	loaded->kernel.root = kma_join_by(loaded->account, by, opts->only.nr ? &opts->only : NULL,
					  from->kernel.maintainers);
	loaded->has_files = from->has_files;
	over_begin(over, loaded);
	return NULL;
}

void kma_over_series_deinit(struct kma_over_series *over)
{
	for (size_t i = 0; i < over->nr; i++) {
		kma_account_destroy(over->samples[i].head);
		free(over->samples[i].values);
	}
	free(over->samples);
	free(over->rows);
	kma_numbers_destroy(over->numbers);
	kma_account_destroy(over->account);
	kma_account_destroy(over->last);
	memset(over, 0, sizeof(*over));
}

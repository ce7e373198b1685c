// SPDX-License-Identifier: GPL-2.0-only
/*
 * over-series.c - the numbers of call sites at several times, as one account and its tree.
 */
#include <stdlib.h>
#include <string.h>

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
	char *name;		     /* of its account */
	char *boot;		     /* boot ID, "" if unknown */
	uint64_t loaded, generation; /* of the account, as in struct kma_moment */
	uint64_t lost;		     /* events lost since the start of the account */
	bool lost_said;		     /* the account has this count */
	struct kma_values *values;   /* by number of the site */
	size_t nr;		     /* length of @values; later sites have larger numbers */
};

struct kma_err *kma_over_series_init(struct kma_over_series *over)
{
	memset(over, 0, sizeof(*over));
	over->metrics = KMA_METRICS_ALL;
	return kma_intern_create(&over->intern);
}

/* Upper bound of the number of sites after an account is added: all of its sites may be new. */
static size_t kma_over_most(const struct kma_over_series *over, const struct kma_account *account)
{
	size_t nr;

	kma_account_sites(account, &nr);
	return kma_intern_count(over->intern) + nr;
}

bool kma_over_series_has_room(const struct kma_over_series *over, const struct kma_account *account)
{
	return over->nr_values + kma_over_most(over, account) <= KMA_OVER_VALUES;
}

/* Finds the number of a site. A new site gets the next number and is added to the account. */
static struct kma_err *kma_over_site(struct kma_over_series *over, const struct kma_site *site,
				     uint32_t *ret)
{
	uint32_t known = kma_intern_count(over->intern);
	struct kma_err *err;

	*ret = site->group ?
		       kma_intern_grouped(over->intern, site->kind, site->caller,
					  strlen(site->caller), site->group) :
		       kma_intern(over->intern, site->kind, site->caller, strlen(site->caller));
	/* KMA_INTERN_REST has no row, so the bytes of this site would be lost */
	if (*ret == KMA_INTERN_REST)
		return kma_err_create(kma_account_name(over->account), 0,
				      "too many call sites; use fewer inputs");
	if (*ret < known)
		return NULL;
	err = kma_account_copy_site(site, over->account);
	return err || !site->group ?
		       err :
		       kma_account_set_group(over->account, site->grouped, site->group);
}

static struct kma_err *kma_over_fill(struct kma_over_series *over, struct kma_over_sample *sample,
				     const struct kma_account *account)
{
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	uint32_t site;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	sample->nr = kma_over_most(over, account);
	over->nr_values += sample->nr;
	if (over->nr_values > KMA_OVER_VALUES)
		return kma_err_create(
			kma_account_name(account), 0,
			"%zu samples have too many call sites for a page; %s", over->nr,
			"use fewer with --points, or a shorter interval with --from and --to");
	sample->values = calloc(sample->nr + 1, sizeof(*sample->values));
	if (!sample->values)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++) {
		err = kma_over_site(over, &sites[i], &site);
		if (!err)
			kma_values_add(&sample->values[site], &sites[i].values);
	}
	return err;
}

static struct kma_err *kma_over_describe(struct kma_over_sample *sample,
					 const struct kma_account *account, uint64_t ns)
{
	struct kma_moment moment = { .boot = "" };

	if (kma_moment_of(account, &moment) && moment.time)
		ns = moment.time;
	sample->time.ns = ns;
	sample->name = strdup(kma_account_name(account));
	sample->boot = strdup(moment.boot ?: "");
	sample->loaded = moment.loaded;
	sample->generation = moment.generation;
	sample->lost_said = kma_account_loss(account, KMA_LOSS_NOT_RECORDED, &sample->lost);
	return sample->name && sample->boot ? NULL : &kma_enomem;
}

struct kma_err *kma_over_series_add(struct kma_over_series *over, struct kma_account *account,
				    uint64_t ns)
{
	struct kma_over_sample *sample;
	struct kma_err *err = NULL;

	kma_account_destroy(over->last);
	over->last = account;
	if (!over->account)
		err = kma_account_create(kma_account_name(account), &over->account);
	if (err || !kma_array_room(over->samples, over->nr, over->room))
		return err ?: &kma_enomem;
	sample = &over->samples[over->nr++];
	memset(sample, 0, sizeof(*sample));
	over->metrics &= kma_account_metrics(account);
	err = kma_over_describe(sample, account, ns);
	return err ? err : kma_over_fill(over, sample, account);
}

static int kma_cmp_over(const void *a, const void *b)
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
			ret->without = over->samples[i].name;
	}
	if (over->nr && by_time && !ret->without)
		qsort(over->samples, over->nr, sizeof(*over->samples), kma_cmp_over);
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
static void kma_over_breaks(struct kma_over_series *over)
{
	struct kma_loss_series losses = { 0 };

	for (size_t i = 0; i < over->nr; i++) {
		struct kma_over_sample *sample = &over->samples[i];
		const struct kma_over_sample *before = i ? sample - 1 : NULL;
		uint64_t since = losses.since;

		sample->time.name = kma_chart_base(sample->name);
		sample->time.begins = before && (strcmp(sample->boot, before->boot) ||
						 sample->loaded != before->loaded ||
						 sample->generation != before->generation);
		kma_loss_series_add(&losses, sample->lost_said, sample->lost, sample->time.begins);
		sample->time.lost = losses.since - since;
	}
}

/*
 * Finishes the account; its name is that of the newest sample, whose numbers the tree gets first.
 * kma_account_finish() may sort the sites, so over->rows gets the number of each row's site.
 */
static struct kma_err *kma_over_finish(struct kma_over_series *over)
{
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	err = kma_account_rename(over->account, over->samples[over->nr - 1].name);
	if (!err)
		err = kma_account_copy_head(over->last, over->account);
	kma_account_set_metrics(over->account, over->metrics);
	if (!err)
		err = kma_account_finish(over->account);
	if (err)
		return err;
	sites = kma_account_sites(over->account, &nr);
	over->rows = calloc(nr + 1, sizeof(*over->rows));
	if (!over->rows)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_over_site(over, &sites[i], &over->rows[i]);
	return err;
}

/* Copies the values of a sample into the leaves of the tree. */
static void kma_over_use(void *arg, size_t point)
{
	const struct kma_over_series *over = arg;
	const struct kma_over_sample *sample = &over->samples[point];

	for (size_t i = 0; i < over->leaves.nr; i++) {
		struct kma_node *leaf = over->leaves.nodes[i];

		if (leaf && over->rows[i] < sample->nr)
			leaf->values = sample->values[over->rows[i]];
		else if (leaf)
			leaf->values = (struct kma_values){ 0 };
	}
	kma_node_roll_up(over->root);
}

/* Sums the live bytes without a directory: those of rows in brackets. */
static uint64_t kma_over_unresolved(const struct kma_node *root)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < root->nr_children; i++)
		if (*root->children[i]->name == '[')
			bytes += root->children[i]->values.current;
	return bytes;
}

static const struct kma_chart_time *kma_over_time_at(void *arg, size_t point)
{
	const struct kma_over_series *over = arg;

	return &over->samples[point].time;
}

static struct kma_err *kma_over_close(struct kma_over_series *over, struct kma_loaded *loaded)
{
	struct kma_err *err;

	kma_over_breaks(over);
	err = kma_over_finish(over);
	if (err)
		return err;
	loaded->account = over->account;
	over->account = NULL;
	return NULL;
}

static void kma_over_begin(struct kma_over_series *over, struct kma_loaded *loaded)
{
	over->root = loaded->kernel.root;
	over->times = (struct kma_chart_times){
		.nr = over->nr, .at = kma_over_time_at, .use = kma_over_use, .arg = over
	};
	kma_over_use(over, over->nr - 1);
	loaded->kernel.stats.unresolved = kma_over_unresolved(over->root);
}

struct kma_err *kma_over_series_load(struct kma_over_series *over, const struct kma_options *opts,
				     struct kma_loaded *loaded)
{
	struct kma_err *err = kma_over_close(over, loaded);

	if (!err)
		err = kma_leaves_load(opts, loaded, &over->leaves);
	if (err)
		return err;
	kma_over_begin(over, loaded);
	return kma_load_suits(opts, loaded);
}

struct kma_err *kma_over_series_join(struct kma_over_series *over, enum kma_join_levels levels,
				     const struct kma_loaded *from, struct kma_loaded *loaded)
{
	struct kma_err *err = kma_over_close(over, loaded);

	if (!err)
		err = kma_leaves_join(levels, from, loaded, &over->leaves);
	if (err)
		return err;
	kma_over_begin(over, loaded);
	return NULL;
}

void kma_over_series_deinit(struct kma_over_series *over)
{
	for (size_t i = 0; i < over->nr; i++) {
		free(over->samples[i].name);
		free(over->samples[i].boot);
		free(over->samples[i].values);
	}
	free(over->samples);
	free(over->rows);
	kma_leaves_deinit(&over->leaves);
	kma_intern_destroy(over->intern);
	kma_account_destroy(over->account);
	kma_account_destroy(over->last);
	memset(over, 0, sizeof(*over));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-rings.c - kmem-account rings, treemap, icicle, flame: draw an account as a picture or a page.
 * The four commands differ only in the kind of chart. Several inputs, and a history, become a page
 * over time.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "model/filter.h"
#include "model/groups.h"
#include "model/loss-series.h"
#include "model/moment.h"
#include "model/numbers.h"
#include "open/open.h"
#include "open/refuse.h"
#include "rows.h"
#include "session/charts.h"
#include "session/groupings.h"
#include "session/load.h"
#include "session/loaded.h"
#include "session/options.h"
#include "store/history.h"
#include "view/chart/chart.h"

/*
 * Several accounts as one over time, for a page with a slider.
 *
 * The accounts are the samples of a history, or the inputs of a command line. The main series has
 * their call sites. A page of a history may also have trees by cgroup and by NUMA node; each of
 * them is a series of its own over the same samples, because its rows differ.
 *
 * Several accounts as one over time, for a page with a slider.
 *
 * Each account is read, added to the series by call site and, for a page of a history, to those by
 * cgroup and by NUMA node. A sample without such groups is left out of that series and counted. If
 * a series by group exceeds its limit, it is dropped with a warning, or with an error if it is the
 * one that was requested; the page then has no tree by that group. A sample that lacks the chosen
 * kinds of call sites counts as empty, unless all samples lack them.
 */

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

/* Result of over_series_order(). */
struct kma_over_order {
	const char *without; /* name of the first sample without a time; NULL if each has one */
	bool moved;	     /* the order differs from the order of adding */
};

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

static void over_series_init(struct kma_over_series *over)
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

static bool over_series_has_room(const struct kma_over_series *over,
				 const struct kma_account *account)
{
	return over->nr_values + over_most(over, account) <= KMA_OVER_VALUES;
}

/* Copies the values of an account. A new site gets the next number and is added to the account. */
static struct kma_err *over_fill(struct kma_over_series *over, struct kma_over_sample *sample,
				 const struct kma_account *account)
{
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
	err = kma_numbers_gather(over->numbers, account, over->account, &numbers);
	if (err)
		return err;
	for (size_t i = 0; i < nr; i++)
		kma_values_add(&sample->values[numbers[i]], &sites[i].values);
	return NULL;
}

static void over_describe(struct kma_over_sample *sample, const struct kma_account *account,
			  uint64_t ns)
{
	struct kma_moment moment;

	sample->time.ns = kma_moment_of(account, &moment) ? moment.time : ns;
	sample->head = kma_account_create(kma_account_name(account));
	kma_account_copy_head(account, sample->head);
}

/* Adds a sample, which the series takes over. @ns: used if the account does not have its time. */
static struct kma_err *over_series_add(struct kma_over_series *over, struct kma_account *account,
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

/*
 * Puts the samples in order. Without @by_time the order stays, and a time before that of the
 * previous sample is replaced by it. If a sample has no time, all times are dropped.
 */
static void over_series_order(struct kma_over_series *over, bool by_time,
			      struct kma_over_order *ret)
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
 * Finishes the account and hands it over, with name, losses and notes of the newest sample, whose
 * numbers the tree gets first.
 */
static struct kma_err *over_close(struct kma_over_series *over, struct kma_loaded *loaded)
{
	const struct kma_account *newest = over->samples[over->nr - 1].head;
	struct kma_err *err;

	over_breaks(over);
	kma_account_rename(over->account, kma_account_name(newest));
	kma_account_copy_head(newest, over->account);
	kma_account_set_metrics(over->account, over->metrics);
	err = kma_numbers_finish(over->numbers, over->account, &over->rows);
	if (err)
		return err;
	loaded->account = over->shown = over->account;
	over->account = NULL;
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

static void over_begin(struct kma_over_series *over, struct kma_loaded *loaded)
{
	over->root = loaded->kernel.root;
	over->times = (struct kma_chart_times){
		.nr = over->nr, .at = over_time_at, .use = over_use, .arg = over
	};
	over_use(over, over->nr - 1);
	loaded->kernel.stats.unresolved = over_unresolved(over->root);
}

/* Makes the account and the tree of an ordered series. */
static struct kma_err *over_series_load(struct kma_over_series *over,
					const struct kma_load_options *opts,
					struct kma_loaded *loaded)
{
	struct kma_err *err = over_close(over, loaded) ?: kma_load_kernel(opts, loaded);

	if (err)
		return err;
	over_begin(over, loaded);
	return kma_load_suits(opts, loaded);
}

/* The same by an open kernel. */
static struct kma_err *over_series_join(struct kma_over_series *over,
					const struct kma_load_options *opts,
					const struct kma_keys *by, const struct kma_loaded *from,
					struct kma_loaded *loaded)
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

static void over_series_deinit(struct kma_over_series *over)
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

/*
 * Chooses how the samples are read: groups and kernel.levels of @opts may be changed. If the chart
 * is by cgroup, node or task, each input of a command line is read by that group, so there is one
 * tree, which is by group. The samples of a history have all their groups except tasks, so a page
 * of it can have several trees.
 */
static void over_time_prepare(struct kma_over_options *opts)
{
	enum kma_grouped groups = kma_keys_groups(&opts->load.by);

	/* The samples of a history have all kinds of groups. */
	if (!groups || (opts->nr_inputs <= 1 && groups != KMA_GROUPED_TASK))
		return;
	opts->load.groups = groups;
	opts->load.kernel.by = &opts->load.by;
}

/* Kinds of groups by which a page over time has additional trees, if the samples have them. */
static const enum kma_grouped over_kinds[] = { KMA_GROUPED_CGROUP, KMA_GROUPED_NODE };

static bool over_has_trees(const struct kma_over_options *opts)
{
	return !opts->load.groups && !opts->load.branch && opts->load.page;
}

static struct kma_err *over_too_many(const struct kma_account *account, const char *name)
{
	return kma_err_create(
		kma_account_name(account), 0, "too many call sites of %ss for a page; %s", name,
		"use fewer samples with --points, or a shorter interval with --from and --to");
}

/* Makes an account without sites, for a sample without the chosen kinds of call sites. */
static struct kma_err *over_empty(const struct kma_account *whole, struct kma_account **ret)
{
	_cleanup_account_ struct kma_account *none = kma_account_create(kma_account_name(whole));
	struct kma_err *err;

	kma_account_copy_head(whole, none);
	err = kma_account_finish(none);
	if (err)
		return err;
	*ret = none;
	none = NULL;
	return NULL;
}

/* Adds a sample to the series by a kind of groups, unless the sample has no such groups. */
static struct kma_err *over_group(struct kma_over_groups *groups, enum kma_grouped by,
				  const struct kma_over_options *opts,
				  const struct kma_loaded *sample, uint64_t ns)
{
	const struct kma_account *whole = sample->whole ?: sample->account;
	struct kma_account *rows;
	struct kma_err *err;

	groups->left_out += !kma_account_groups(whole, by);
	if (!kma_account_groups(whole, by) || groups->full)
		return NULL;
	if (!groups->series.numbers)
		over_series_init(&groups->series);
	err = kma_grouping_regroup(&opts->load, sample, by, &rows);
	if (opts->load.kinds && kma_err_is(err, KMA_ERR_NOT_FOUND)) {
		kma_err_destroy(err);
		err = over_empty(whole, &rows);
	}
	if (err || !rows)
		return err;
	if (over_series_has_room(&groups->series, rows))
		return over_series_add(&groups->series, rows, ns);
	groups->full = true;
	over_series_deinit(&groups->series);
	if (kma_keys_groups(&opts->load.by) == by)
		err = over_too_many(rows, kma_grouped_names[by]);
	else
		kma_warn(
			"%s: too many call sites of %ss for a page, which has no chart by %s; use fewer samples with --points",
			kma_account_name(rows), kma_grouped_names[by], kma_grouped_names[by]);
	kma_account_destroy(rows);
	return err;
}

/* Adds a sample to all series. The main series takes over the account of the sample. */
static struct kma_err *over_take(struct kma_over_time *over, const struct kma_over_options *opts,
				 struct kma_loaded *sample, uint64_t ns)
{
	struct kma_account *account = sample->account;
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(over_kinds) && over_has_trees(opts) && !err; i++)
		err = over_group(&over->groups[over_kinds[i]], over_kinds[i], opts, sample, ns);
	if (err)
		return err;
	sample->account = NULL;
	return over_series_add(&over->series, account, ns);
}

/* State of reading a history. */
struct kma_over_past {
	struct kma_over_time *over;
	const struct kma_over_options *opts;
	bool found;		 /* a sample has the chosen kinds of call sites */
	struct kma_err *without; /* the error for the first sample that has none of them */
};

/* Takes over an account and selects the chosen kinds of call sites of it. */
static struct kma_err *over_choose(struct kma_over_past *past, struct kma_account *account,
				   struct kma_loaded *sample)
{
	struct kma_err *err;

	if (!past->opts->load.kinds) {
		sample->account = account;
		return NULL;
	}
	sample->whole = account;
	err = kma_account_filter(account, past->opts->load.kinds, &sample->account);
	if (!kma_err_is(err, KMA_ERR_NOT_FOUND)) {
		past->found |= !err;
		return err;
	}
	if (past->without)
		kma_err_destroy(err);
	else
		past->without = err;
	return over_empty(account, &sample->account);
}

/* Takes over the account of a sample. */
static struct kma_err *over_past(struct kma_over_past *past, struct kma_account *account)
{
	struct kma_loaded sample = { 0 };
	struct kma_err *err;

	err = over_choose(past, account, &sample) ?: over_take(past->over, past->opts, &sample, 0);
	kma_account_destroy(sample.account);
	kma_account_destroy(sample.whole);
	return err;
}

/*
 * Time of an input that does not contain its time: that of the snapshot in a DB file, or of the
 * file's last change. 0 for files of /proc, which are not regular or have the size 0.
 */
static uint64_t over_written(const char *path, const struct kma_loaded *one)
{
	struct stat st;

	if (one->snapshot.id)
		return one->snapshot.time * KMA_NS_PER_S;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return 0;
	return st.st_mtim.tv_sec * KMA_NS_PER_S + st.st_mtim.tv_nsec;
}

static struct kma_err *over_input(struct kma_over_time *over, const struct kma_over_options *opts,
				  const char *path, struct kma_notes *notes)
{
	_cleanup_(kma_unload) struct kma_loaded one = { 0 };
	struct kma_load_options here = opts->load;
	struct kma_err *err;

	here.account = path;
	err = kma_load_account(&here, &one);
	if (kma_load_leaves_out(err, opts->nr_inputs, notes)) {
		over->damaged++;
		return NULL;
	}
	return err ?: over_take(over, opts, &one, over_written(path, &one));
}

static struct kma_err *over_inputs(struct kma_over_time *over, const struct kma_over_options *opts,
				   struct kma_notes *notes)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < opts->nr_inputs && !err; i++)
		err = over_input(over, opts, opts->inputs[i], notes);
	return err || over->series.nr ? err : kma_load_none_left(opts->load.command);
}

static struct kma_err *over_history(struct kma_over_time *over, const struct kma_over_options *opts,
				    struct kma_notes *notes)
{
	struct kma_over_past past = { .over = over, .opts = opts };
	struct kma_series *series = opts->load.input;
	struct kma_account *account;
	struct kma_err *err;

	/* watch does not record stacks. */
	if (opts->load.stacks.skip || opts->load.stacks.through)
		return kma_restack_none(opts->load.account);
	series->wish = (struct kma_series_wish){ .all = true,
						 .from = opts->from,
						 .to = opts->to,
						 .max = opts->points,
						 .groups = opts->load.groups,
						 .with_groups = over_has_trees(opts) };
	do {
		account = NULL;
		err = kma_series_next(series, &account);
		err = err || !account ? err : over_past(&past, account);
	} while (!err && account);
	over->damaged += series->damaged;
	kma_notes_move(&series->notes, notes);
	if (err) {
		kma_err_destroy(past.without);
		return err;
	}
	if (past.without && !past.found)
		return past.without;
	kma_err_destroy(past.without);
	/* Each sample may have the same warning; print that of the last one only. */
	if (opts->load.kinds)
		kma_load_warn(over->series.last);
	return NULL;
}

static struct kma_err *over_read(struct kma_over_time *over, const struct kma_over_options *opts)
{
	struct kma_notes notes = { 0 };
	struct kma_err *err = opts->nr_inputs > 1 ? over_inputs(over, opts, &notes) :
						    over_history(over, opts, &notes);

	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
	return err;
}

/* Sorts inputs of a command line by time, if all have one. Samples of a history stay in order. */
static void over_order(struct kma_over_time *over, const struct kma_over_options *opts)
{
	bool inputs = opts->nr_inputs > 1;
	struct kma_over_order order, unused;

	over_series_order(&over->series, inputs, &order);
	for (size_t i = 0; i < ARRAY_SIZE(over_kinds); i++)
		over_series_order(&over->groups[over_kinds[i]].series, inputs, &unused);
	if (order.moved)
		kma_warn("the inputs are in the order of their times, not of the command line");
	if (inputs && order.without)
		kma_warn(
			"%s: no time in this input; the page shows all inputs in the order of the command line",
			order.without);
}

/* Keys of a tree by a kind of groups: the requested ones; else with directories if they are known. */
static struct kma_keys over_keys(const struct kma_over_options *opts, enum kma_grouped kind,
				 bool has_files)
{
	struct kma_keys keys = { .list = { KMA_KEY_CGROUP, KMA_KEY_DIR }, .nr = 1 + has_files };

	if (kma_keys_groups(&opts->load.by) == kind)
		return opts->load.by;
	if (kind == KMA_GROUPED_NODE)
		keys.list[0] = KMA_KEY_NODE;
	return keys;
}

static struct kma_err *over_tree(struct kma_over_time *over, const struct kma_over_options *opts,
				 enum kma_grouped kind, const struct kma_loaded *loaded)
{
	struct kma_keys by = over_keys(opts, kind, loaded->has_files);
	struct kma_over_groups *groups = &over->groups[kind];
	struct kma_chart_tree *tree = &over->trees[over->nr_trees];
	struct kma_err *err;

	err = over_series_join(&groups->series, &opts->load, &by, loaded, &groups->loaded);
	if (err)
		return err;
	*tree = (struct kma_chart_tree){
		.by = by,
		.account = groups->loaded.account,
		.root = groups->loaded.kernel.root,
		.metrics = kma_account_metrics(groups->loaded.account),
		.has_source = groups->loaded.has_files,
		.unresolved = groups->loaded.kernel.stats.unresolved,
		.times = &groups->series.times,
	};
	over->nr_trees++;
	return NULL;
}

static struct kma_err *over_trees(struct kma_over_time *over, const struct kma_over_options *opts,
				  const struct kma_loaded *loaded)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(over_kinds) && !err; i++) {
		enum kma_grouped kind = over_kinds[i];
		const struct kma_over_groups *groups = &over->groups[kind];
		const char *name = kma_grouped_names[kind];

		if (groups->full)
			continue;
		if (groups->series.nr)
			err = over_tree(over, opts, kind, loaded);
		else if (kma_keys_groups(&opts->load.by) == kind && !opts->load.groups)
			err = kma_refuse_no_groups(opts->load.account, kind);
		if (!err && groups->series.nr && groups->left_out)
			kma_warn("%zu of %zu samples %s no %ss, and %s left out of the chart by %s",
				 groups->left_out, over->series.nr,
				 kma_plural(groups->left_out, "has", "have"), name,
				 kma_plural(groups->left_out, "is", "are"), name);
	}
	return err;
}

/*
 * Reads all samples and builds the trees, with the numbers of the newest sample. @over has to be
 * deinitialised also after an error, after @loaded was unloaded.
 */
static struct kma_err *over_time_load(struct kma_over_time *over,
				      const struct kma_over_options *opts,
				      struct kma_loaded *loaded)
{
	struct kma_load_options here = opts->load;
	struct kma_err *err;

	memset(over, 0, sizeof(*over));
	memset(loaded, 0, sizeof(*loaded));
	over_series_init(&over->series);
	err = kma_load_over_time(&opts->load) ?: over_read(over, opts);
	if (err)
		return err;
	over_order(over, opts);
	if (kma_keys_groups(&opts->load.by) && !opts->load.groups)
		here.by = KMA_BY(KMA_KEY_DIR);
	err = over_series_load(&over->series, &here, loaded);
	over->series.times.damaged = over->damaged;
	return err ? err : over_trees(over, opts, loaded);
}

static void over_time_deinit(struct kma_over_time *over)
{
	for (size_t i = 0; i < ARRAY_SIZE(over_kinds); i++) {
		struct kma_over_groups *groups = &over->groups[over_kinds[i]];

		kma_unload(&groups->loaded);
		over_series_deinit(&groups->series);
	}
	over_series_deinit(&over->series);
}

struct rings_args {
	struct kma_over_options over; /* its load is also that of a single account */
	struct kma_chart_options chart;
	bool has_points;
};

#define KMA_ARGS struct rings_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROWS_INPUT(over.load),
	KMA_ROWS_TIMES(over.from, over.to, KMA_HELP_FROM, KMA_HELP_TO),
	{ "points", .arg = "N", TO(COUNT, over.points), .given = AT(has_points),
	  .min = 2, .max = 10000, .unit = "samples",
	  .help = "of a history: take about N samples into an HTML page (default 48)" },
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(over.load.kernel),
	KMA_OPTION_HEADING("Call sites"),
	KMA_ROWS_STACKS(over.load.stacks),
	KMA_ROW_BRANCH(over.load.branch),
	KMA_ROWS_SITES(over.load),
	KMA_OPTION_HEADING("Picture"),
	KMA_ROW_RENDER(chart),
	{ "by", .arg = "KEY", OWN(keys, over.load.by), KMA_OPTION_NAMES(kma_keys),
	  .given = AT(over.load.has_by), .min = KMA_KEYS_IN_TREE,
	  .help = "divide the chart by dir (default: directories and files), by another\n"
		  "key of report, or by several, outermost first, as cgroup,module,dir.\n"
		  "stack goes from the outermost function to the call site, callers from\n"
		  "the call site to its callers. module, cache and subsystem (needs\n"
		  "--maintainers or -k) alone have directories below them. cgroup and\n"
		  "node need a snapshot with groups (an event log has cgroups, too), task\n"
		  "a log, root a file of scan. An HTML page starts with KEY and can\n"
		  "switch to other keys of the input" },
	KMA_ROWS_SLAB(over.load),
	KMA_ROW_ATTR(over.load),
	{ "depth", .arg = "N", TO(COUNT, chart.levels), .min = 1, .max = 24, .unit = "levels",
	  .help = "draw N levels (default 5; flame: 24)" },
	KMA_ROWS_LOOK(chart),
	KMA_ROW_TITLE(chart),
	KMA_ROWS_PAGE(chart),
	KMA_OPTION_HEADING("More"),
	KMA_ROWS_END(over.load.quiet),
};
/* clang-format on */

/* Writes the pictures of a loaded account. @over is NULL for a single account. */
static struct kma_err *show(const struct rings_args *args, const struct kma_loaded *loaded,
			    const struct kma_over_time *over)
{
	const struct kma_load_options *load = &args->over.load;
	/* A picture by directory needs only the account's own tree. */
	bool more = load->page || !kma_keys_are(&load->by, KMA_KEY_DIR);
	struct kma_chart_tree trees[KMA_CHART_TREES];
	struct kma_groupings groupings = { 0 };
	struct kma_err *err = NULL;
	struct kma_chart chart;

	kma_chart_init(&args->chart, loaded, &chart);
	chart.key = load->by;
	if (load->kernel.by)
		chart.main_key = *load->kernel.by;
	chart.groups = load->kernel.by;
	if (more)
		err = kma_groupings_init(&groupings, load, loaded, over);
	for (size_t i = 0; i < groupings.nr; i++)
		trees[chart.nr_trees++] = groupings.trees[i];
	for (size_t i = 0; over && i < over->nr_trees; i++)
		trees[chart.nr_trees++] = over->trees[i];
	chart.trees = trees;
	chart.times = over ? &over->series.times : NULL;
	chart.metric = load->has_attr ? load->attr : loaded->attr;
	if (!err)
		err = kma_chart_write(&args->chart, &chart);
	if (more)
		kma_groupings_deinit(&groupings);
	return err;
}

static struct kma_err *refuse(const struct rings_args *args, const char *sentence)
{
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: %s", args->over.load.command,
				   sentence);
}

/* The rules that need no input, and the account of this machine if no other is named. */
static struct kma_err *check(struct rings_args *args)
{
	struct kma_load_options *load = &args->over.load;
	const struct kma_outputs *render = &args->chart.render;
	bool several = args->over.nr_inputs > 1;
	char name[KMA_KEYS_NAME];
	struct kma_err *err;

	load->page = render->pages;
	err = kma_load_check(load) ?: kma_pictures_check(load->command, &args->chart, NULL);
	if (err)
		return err;
	if (several && render->pages < render->nr)
		return refuse(
			args,
			"several inputs need -r FILE.html and cannot be combined with other pictures");
	if (several && (load->save_db || load->all_slab))
		return refuse(args, "--save-db and --all-slab take one input");
	if (!render->nr)
		return refuse(args, "no picture given; use -r FILE.svg, .png, .pdf or .html");
	if (several && kma_keys_need(&load->by, KMA_KEY_NEEDS_STACKS))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s: --by %s takes one input",
					   load->command, kma_keys_name(&load->by, name));
	/* A page shows all sizes, so the static ones are loaded if the tree is there. */
	if (render->pages == render->nr)
		load->sizes = KMA_SIZES_IF_THERE;
	load->interval = (struct kma_interval){ .is = args->over.from, .ends = args->over.to };
	return kma_load_asks(load, "-a", load->has_attr ? 1U << load->attr : 0) ?:
										  kma_load_own(load);
}

/* Draws over time: several inputs, or a history. */
static struct kma_err *draw_over_time(struct rings_args *args, struct kma_loaded *loaded)
{
	struct kma_over_time over;
	struct kma_err *err;

	over_time_prepare(&args->over);
	err = over_time_load(&over, &args->over, loaded);
	if (!err)
		err = show(args, loaded, &over);
	kma_unload(loaded);
	*loaded = (struct kma_loaded){ 0 };
	over_time_deinit(&over);
	return err;
}

/* Several inputs are shown over time, and a whole history that is drawn as a page. */
static struct kma_err *draw(struct rings_args *args, struct kma_loaded *loaded)
{
	struct kma_load_options *load = &args->over.load;
	const struct kma_series *input = load->input;
	bool several = args->over.nr_inputs > 1;
	bool past = !several && input && !load->db_file && !input->ref.label &&
		    kma_series_has_past(input);
	struct kma_err *err = NULL;

	if (args->has_points && !(load->page && past))
		return refuse(args, "--points needs a history and -r FILE.html");
	if (load->save_db && load->page && past)
		return kma_err_create_kind(KMA_ERR_USAGE, load->account, 0,
					   "--save-db saves one sample of a history; use '%s@TIME'",
					   load->account);
	/* --from and --to are times of a history that is a page; else seconds of an event log */
	if (past && (args->over.from || args->over.to))
		load->interval = (struct kma_interval){ .is = !load->page };
	else
		err = kma_load_interval(load, input, args->over.from, args->over.to,
					&load->interval);
	if (err)
		return err;
	if (several || (past && load->page))
		return draw_over_time(args, loaded);
	err = kma_load(load, loaded);
	return err ?: show(args, loaded, NULL);
}

static const struct kma_cmd *const cmds[] = {
	[KMA_CHART_RINGS] = &kma_cmd_rings,
	[KMA_CHART_TREEMAP] = &kma_cmd_treemap,
	[KMA_CHART_ICICLE] = &kma_cmd_icicle,
	[KMA_CHART_FLAME] = &kma_cmd_flame,
};

static int main_rings(int argc, char **argv)
{
	_cleanup_close_ struct kma_series *series = NULL;
	struct rings_args args = {
		.over = { .load = { .command = argv[0],
				    .by = KMA_BY(KMA_KEY_DIR),
				    .drawn = true,
				    .sizes = KMA_SIZES_IF_ASKED },
			  .points = 48 },
		.chart = { .width = KMA_CHART_WIDTH },
	};
	struct kma_load_options *load = &args.over.load;
	struct kma_loaded loaded = { 0 };
	struct kma_err *err;
	int first, code;

	while (strcmp(cmds[args.chart.chart]->name, argv[0]))
		args.chart.chart++;
	err = kma_option_read(cmds[args.chart.chart], argc, argv, &args, &first);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.over.inputs = argv + first;
	args.over.nr_inputs = argc - first;
	load->account = argv[first] ?: load->account;
	err = check(&args);
	if (err)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.chart.file = load->account;
	/* without an input, the built tree is drawn; several inputs are opened one after the other */
	if ((load->db_file || load->account) && args.over.nr_inputs <= 1)
		err = kma_open(load->db_file ?: load->account, &series);
	load->input = series;
	err = err ?: draw(&args, &loaded);
	code = err ? kma_fail_kind(err) : loaded.unsaved ? KMA_EXIT_DATA : KMA_EXIT_OK;
	kma_unload(&loaded);
	return code;
}

/* Members that all four commands have in common. */
#define COMMON                                                                   \
	.usage = "[OPTION...] [[-f] ACCOUNT...] -r FILE...", .options = options, \
	.most = KMA_MAX_ARGS, .main = main_rings

const struct kma_cmd kma_cmd_rings = {
	.name = "rings",
	.about = "Draw the owners of kernel memory as rings: directories, files and callers.",
	.examples = "  kmem-account rings -f kmem.log -k linux -r rings.svg -r rings.png\n"
		    "  kmem-account rings -f kmem.log -k linux -b fs -a waste -r fs.svg\n"
		    "  kmem-account rings -k linux -a static -r static.pdf --theme print\n",
	COMMON,
};

const struct kma_cmd kma_cmd_treemap = {
	.name = "treemap",
	.about = "Draw the owners of kernel memory as rectangles: the area shows the share.",
	.examples = "  kmem-account treemap -f kmem.log -k linux -r treemap.svg\n"
		    "  kmem-account treemap -f kmem.log -k linux --theme print -r treemap.pdf\n",
	COMMON,
};

const struct kma_cmd kma_cmd_icicle = {
	.name = "icicle",
	.about = "Draw the owners of kernel memory as columns: the height shows the share.",
	.examples = "  kmem-account icicle -f kmem.log -k linux -r icicle.svg\n"
		    "  kmem-account icicle -f kmem.log -k linux -b net --depth 3 -r net.png\n",
	COMMON,
};

const struct kma_cmd kma_cmd_flame = {
	.name = "flame",
	.about = "Draw the owners of kernel memory as a flame graph: the width shows the share.",
	.examples = "  kmem-account flame sites --by stack -r flame.svg\n"
		    "  kmem-account flame -f kmem.log -k linux -b fs -r fs.html\n",
	COMMON,
};

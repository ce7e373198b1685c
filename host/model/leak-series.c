// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-series.c - accounts in the order of time, and the samples of a site in all of them.
 */
#include <stdlib.h>
#include <string.h>

#include "leak-series.h"
#include "lib/cleanup.h"

#define KMA_LEAK_COUNTS (1U << KMA_ALLOCS | 1U << KMA_FREES)

/* An account at its time. */
struct kma_leak_point {
	struct kma_account *account;
	double time;
	char *machine;
	size_t given;		       /* its place in the order of the command line */
	size_t boot;		       /* accounts of one number are one series */
	const struct kma_site **sites; /* by caller and kind */
	size_t nr_sites;
};

struct kma_leak_series {
	struct kma_leak_point *points;
	size_t nr, room;
	const struct kma_site **last; /* sites of the newest account, each once */
	size_t nr_last;
};

struct kma_err *kma_leak_series_create(struct kma_leak_series **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? NULL : &kma_enomem;
}

static void kma_leak_point_deinit(struct kma_leak_point *point)
{
	kma_account_destroy(point->account);
	free(point->machine);
	free(point->sites);
}

void kma_leak_series_destroy(struct kma_leak_series *series)
{
	if (!series)
		return;
	for (size_t i = 0; i < series->nr; i++)
		kma_leak_point_deinit(&series->points[i]);
	free(series->points);
	free(series->last);
	free(series);
}

struct kma_err *kma_leak_series_add(struct kma_leak_series *series, struct kma_account *account,
				    double time, const char *machine)
{
	struct kma_leak_point point = { .account = account, .time = time, .given = series->nr };

	if (series->nr == series->room) {
		size_t room = series->room ? 2 * series->room : 64;
		struct kma_leak_point *more = reallocarray(series->points, room, sizeof(*more));

		if (!more) {
			kma_account_destroy(account);
			return &kma_enomem;
		}
		series->points = more;
		series->room = room;
	}
	point.machine = strdup(machine);
	series->points[series->nr++] = point;
	return point.machine ? NULL : &kma_enomem;
}

static int kma_leak_by_time(const void *a, const void *b)
{
	const struct kma_leak_point *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->given > y->given) - (x->given < y->given);
}

/* The account that is given twice has the numbers and the time of the one before. */
static bool kma_leak_is_twice(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	return a->time == b->time && !strcmp(a->machine, b->machine) &&
	       !memcmp(kma_account_total(a->account), kma_account_total(b->account),
		       sizeof(struct kma_values));
}

static void kma_leak_order(struct kma_leak_series *series, struct kma_notes *notes)
{
	size_t kept = 0, moved = 0, twice = 0;

	if (series->nr)
		qsort(series->points, series->nr, sizeof(*series->points), kma_leak_by_time);
	for (size_t i = 0; i < series->nr; i++) {
		moved += series->points[i].given != i;
		if (kept && kma_leak_is_twice(&series->points[kept - 1], &series->points[i])) {
			kma_leak_point_deinit(&series->points[i]);
			twice++;
			continue;
		}
		series->points[kept++] = series->points[i];
	}
	series->nr = kept;
	if (moved)
		kma_notes_add(notes, "inputs were not in the order of time; they were sorted");
	if (twice)
		kma_notes_add(notes, "%zu inputs are given more than once; each counts once",
			      twice);
}

static const char *kma_leak_note(const struct kma_leak_point *point, const char *key)
{
	return kma_account_note(point->account, key) ?: "";
}

static bool kma_leak_same_kernel(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	return !strcmp(a->machine, b->machine) &&
	       !strcmp(kma_leak_note(a, KMA_NOTE_RELEASE), kma_leak_note(b, KMA_NOTE_RELEASE)) &&
	       !strcmp(kma_leak_note(a, KMA_NOTE_BUILD_ID), kma_leak_note(b, KMA_NOTE_BUILD_ID));
}

/* Allocations only get fewer when the account begins anew: a boot, a reload, a clear. */
static bool kma_leak_goes_on(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	return kma_account_total(b->account)->allocs >= kma_account_total(a->account)->allocs;
}

static void kma_leak_say_left_out(const struct kma_leak_series *series, size_t kept, bool restarts,
				  struct kma_notes *notes)
{
	const char *why = restarts ? "allocations got fewer, as after a reboot or a clear" :
				     "they are of different machines or kernels";

	if (kept < series->nr)
		kma_notes_add(notes,
			      "inputs are of several series: %s; using the longest, %zu of %zu",
			      why, kept, series->nr);
}

static struct kma_err *kma_leak_choose(struct kma_leak_series *series, struct kma_notes *notes)
{
	_cleanup_free_ size_t *lengths = calloc(series->nr + 1, sizeof(*lengths));
	size_t best = 0, boots = 0, kept = 0;
	bool restarts = false;

	if (!lengths)
		return &kma_enomem;
	for (size_t i = 0; i < series->nr; i++) {
		struct kma_leak_point *point = &series->points[i];
		size_t before = i;

		while (before && !kma_leak_same_kernel(&series->points[before - 1], point))
			before--;
		if (before && kma_leak_goes_on(&series->points[before - 1], point)) {
			point->boot = series->points[before - 1].boot;
		} else {
			restarts |= before > 0;
			point->boot = boots++;
		}
		lengths[point->boot]++;
		if (lengths[point->boot] >= lengths[best])
			best = point->boot;
	}
	kma_leak_say_left_out(series, lengths[best], restarts, notes);
	for (size_t i = 0; i < series->nr; i++)
		if (series->points[i].boot == best)
			series->points[kept++] = series->points[i];
		else
			kma_leak_point_deinit(&series->points[i]);
	series->nr = kept;
	return NULL;
}

static int kma_leak_compare(const struct kma_site *x, const struct kma_site *y)
{
	int order = strcmp(x->caller, y->caller);

	return order ? order : (int)x->kind - (int)y->kind;
}

static int kma_leak_by_caller(const void *a, const void *b)
{
	return kma_leak_compare(*(const struct kma_site *const *)a,
				*(const struct kma_site *const *)b);
}

static struct kma_err *kma_leak_index(struct kma_leak_point *point)
{
	const struct kma_site *sites = kma_account_sites(point->account, &point->nr_sites);

	point->sites = calloc(point->nr_sites + 1, sizeof(const struct kma_site *));
	if (!point->sites)
		return &kma_enomem;
	for (size_t i = 0; i < point->nr_sites; i++)
		point->sites[i] = &sites[i];
	if (point->nr_sites)
		qsort(point->sites, point->nr_sites, sizeof(const struct kma_site *),
		      kma_leak_by_caller);
	return NULL;
}

static struct kma_err *kma_leak_last(struct kma_leak_series *series)
{
	const struct kma_leak_point *newest = &series->points[series->nr - 1];

	series->last = calloc(newest->nr_sites + 1, sizeof(const struct kma_site *));
	if (!series->last)
		return &kma_enomem;
	for (size_t i = 0; i < newest->nr_sites; i++)
		if (!i || kma_leak_compare(newest->sites[i - 1], newest->sites[i]))
			series->last[series->nr_last++] = newest->sites[i];
	return NULL;
}

struct kma_err *kma_leak_series_finish(struct kma_leak_series *series, struct kma_notes *notes)
{
	struct kma_err *err;

	kma_leak_order(series, notes);
	err = kma_leak_choose(series, notes);
	for (size_t i = 0; i < series->nr && !err; i++)
		err = kma_leak_index(&series->points[i]);
	return err || !series->nr ? err : kma_leak_last(series);
}

struct kma_account *kma_leak_series_last(const struct kma_leak_series *series)
{
	return series->nr ? series->points[series->nr - 1].account : NULL;
}

const struct kma_site *const *kma_leak_series_sites(const struct kma_leak_series *series,
						    size_t *nr)
{
	*nr = series->nr_last;
	return series->last;
}

/* Adds up the rows of one caller and kind. */
static void kma_leak_sum(const struct kma_leak_point *point, const struct kma_site *site,
			 struct kma_values *sum)
{
	size_t low = 0, high = point->nr_sites;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (kma_leak_compare(point->sites[mid], site) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < point->nr_sites && !kma_leak_compare(point->sites[low], site); low++)
		kma_values_add(sum, &point->sites[low]->values);
}

bool kma_leak_series_samples(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_sample *ret)
{
	bool counts = true;

	for (size_t i = 0; i < series->nr; i++) {
		const struct kma_leak_point *point = &series->points[i];
		struct kma_values sum = { 0 };

		kma_leak_sum(point, site, &sum);
		counts &= (kma_account_metrics(point->account) & KMA_LEAK_COUNTS) ==
			  KMA_LEAK_COUNTS;
		ret[i] = (struct kma_leak_sample){
			.time = point->time,
			.live = sum.current,
			.objects = sum.allocs > sum.frees ? sum.allocs - sum.frees : 0,
			.allocs = sum.allocs,
		};
		if (i && ret[i].allocs < ret[i - 1].allocs)
			ret[i].allocs = ret[i - 1].allocs;
	}
	return counts;
}

size_t kma_leak_series_nr(const struct kma_leak_series *series)
{
	return series->nr;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-series.c - accounts of several times as a series of samples for each call site.
 *
 * Each account is a point. Its sites get numbers that are the same in all points (numbers.h), and
 * its sums by number are copied. After that only the newest account of each boot
 * needs its sites: those of an account are freed as soon as a newer one of the same boot is added,
 * because a day of a history has hundreds of accounts.
 *
 * kma_leak_series_finish() sorts the points by time, removes points that were given twice, numbers
 * the boots, and keeps the points of the boot with the most points. Times within a boot are those
 * of CLOCK_BOOTTIME, so setting the clock does not move them.
 *
 * Cohorts. The module counts live objects by age, in epochs whose bounds are powers of two. With a
 * bound of E seconds, the survivors at age E of the objects that were born between two times are
 * the growth, from the first time plus E to the second time plus E, of the number of objects that
 * are at least E old. E is between a quarter and a half of the series, the births before the last E
 * seconds are divided into eight cohorts, and values between two samples are interpolated.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "leak-series.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "moment.h"
#include "numbers.h"

/*
 * The sums of an account that leak-series.h needs, by the number of the call site
 * (numbers.h). They replace the sites of all accounts of a series but the newest: a site takes 32
 * bytes, and 144 more with ages, instead of over 300 and its texts.
 *
 * Sites that are gone lose their numbers (leak_rows_keep()). A site that comes back later gets
 * a new number. Older rows cannot tell whether their account had a row of such a site, and
 * leak_rows_know() reports it.
 *
 * Locking: none; one thread.
 */

/* The sums over all rows that a site has in the account. */
struct kma_leak_sums {
	uint64_t live, allocs, frees; /* live bytes; events */
	bool there;		      /* the account has a row of the site */
};

/* Live objects of a site in each epoch of birth (struct kma_site_age). */
struct kma_leak_births {
	uint64_t epochs[KMA_SITE_EPOCHS];
};

/* The rows of an account. Both arrays are indexed by the number of the site. */
struct kma_leak_rows {
	struct kma_leak_sums *sums;
	struct kma_leak_births *births; /* NULL: the account has no ages */
	size_t nr;			/* elements; sites with higher numbers have no row */
	/*
	 * Numbers from @nr_known on were assigned after leak_rows_keep() had removed rows. The
	 * removed rows may be those of such a site.
	 */
	size_t nr_known;
};

/*
 * Adds up the rows of each site of an account. @rows is zeroed. @numbers has the number of each
 * site; all are below @nr.
 */
static void leak_rows_fill(struct kma_leak_rows *rows, const struct kma_account *account,
			   const uint32_t *numbers, size_t nr)
{
	bool has_ages = false;
	size_t nr_sites;
	const struct kma_site *sites = kma_account_sites(account, &nr_sites);

	for (size_t i = 0; i < nr_sites; i++)
		has_ages |= sites[i].age != NULL;
	rows->sums = kma_xcalloc(nr + 1, sizeof(*rows->sums));
	if (has_ages)
		rows->births = kma_xcalloc(nr + 1, sizeof(*rows->births));
	rows->nr = nr;
	rows->nr_known = SIZE_MAX;
	for (size_t i = 0; i < nr_sites; i++) {
		struct kma_leak_sums *sums = &rows->sums[numbers[i]];

		sums->there = true;
		sums->live += sites[i].values.current;
		sums->allocs += sites[i].values.allocs;
		sums->frees += sites[i].values.frees;
		for (size_t n = 0; sites[i].age && n < KMA_SITE_EPOCHS; n++)
			rows->births[numbers[i]].epochs[n] += sites[i].age->epochs[n];
	}
}

static void leak_rows_deinit(struct kma_leak_rows *rows)
{
	free(rows->sums);
	free(rows->births);
	*rows = (struct kma_leak_rows){ 0 };
}

/*
 * Numbers that @rows does not know are not counted in @known, whether their sites are kept or not.
 */
static void leak_rows_keep(struct kma_leak_rows *rows, const bool *keep, size_t nr)
{
	size_t known = 0, kept = 0;
	void *less;

	for (size_t i = 0; i < nr && i < rows->nr_known; i++) {
		if (!keep[i])
			continue;
		if (i < rows->nr) {
			rows->sums[kept] = rows->sums[i];
			if (rows->births)
				rows->births[kept] = rows->births[i];
			kept++;
		}
		known++;
	}
	rows->nr_known = known;
	rows->nr = kept;
	less = realloc(rows->sums, (kept + 1) * sizeof(*rows->sums));
	rows->sums = less ?: rows->sums;
	if (!rows->births)
		return;
	less = realloc(rows->births, (kept + 1) * sizeof(*rows->births));
	rows->births = less ?: rows->births;
}

/* False if the account may have had a row of the site that leak_rows_keep() has removed. */
static bool leak_rows_know(const struct kma_leak_rows *rows, size_t number)
{
	return number < rows->nr_known;
}

/*
 * The sums of a site, valid until the rows change; zeros for a site that the account does not have.
 */
static const struct kma_leak_sums *leak_rows_get(const struct kma_leak_rows *rows, size_t number)
{
	static const struct kma_leak_sums none;

	return number < rows->nr ? &rows->sums[number] : &none;
}

/* The live objects of a site that were born in @epoch or earlier; 0 without ages. */
static uint64_t leak_rows_older(const struct kma_leak_rows *rows, size_t number, unsigned int epoch)
{
	uint64_t objects = 0;

	for (; rows->births && number < rows->nr && epoch < KMA_SITE_EPOCHS; epoch++)
		objects += rows->births[number].epochs[epoch];
	return objects;
}

#define KMA_LEAK_COUNTS (1U << KMA_ALLOCS | 1U << KMA_FREES)
#define KMA_LEAK_MANY	8192 /* Up to so many numbers, no site is forgotten. */

/* An account and its time. */
struct kma_leak_point {
	struct kma_account *account;
	bool dropped;		  /* its sites are freed, because the series has a newer account */
	double time;		  /* s */
	bool has_moment;	  /* the account states its time and its boot ID */
	struct kma_moment moment; /* its texts are owned by the account */
	char *machine;
	size_t given; /* position in the order of kma_leak_series_add() */
	size_t boot;  /* points with the same number are one series */
	struct kma_leak_rows rows;
};

struct kma_leak_series {
	struct kma_err *(*change)(void *arg, struct kma_account **account); /* or NULL */
	void *arg;							    /* of @change */
	struct kma_leak_point *points;
	size_t nr, room;
	size_t left_out;	     /* points that were of another series */
	struct kma_numbers *numbers; /* of the sites of all accounts, without forgotten sites */
	size_t many; /* From so many numbers on, sites that are gone are forgotten. */
	const struct kma_site **last; /* sites of the newest account, each once, sorted */
	size_t nr_last;
	unsigned int epoch; /* E is 1 << epoch seconds; 0: the series is too short for cohorts */
};

struct kma_leak_series *kma_leak_series_create(void)
{
	struct kma_leak_series *series = kma_xcalloc(1, sizeof(*series));

	series->many = KMA_LEAK_MANY;
	series->numbers =
		kma_numbers_create("name fewer inputs, or a shorter interval with --from and --to");
	return series;
}

void kma_leak_series_change(struct kma_leak_series *series,
			    struct kma_err *(*change)(void *arg, struct kma_account **account),
			    void *arg)
{
	series->change = change;
	series->arg = arg;
}

static void leak_point_deinit(struct kma_leak_point *point)
{
	kma_account_destroy(point->account);
	free(point->machine);
	leak_rows_deinit(&point->rows);
}

void kma_leak_series_destroy(struct kma_leak_series *series)
{
	if (!series)
		return;
	for (size_t i = 0; i < series->nr; i++)
		leak_point_deinit(&series->points[i]);
	free(series->points);
	free(series->last);
	kma_numbers_destroy(series->numbers);
	free(series);
}

/*
 * Time of a point in s since 1970: the wall clock at the first point of the same boot, plus the
 * difference of CLOCK_BOOTTIME. Setting the clock therefore changes nothing within a boot.
 */
static double leak_since_boot(const struct kma_leak_series *series,
			      const struct kma_leak_point *point)
{
	const struct kma_moment *first = &point->moment;

	for (size_t i = 0; i < series->nr; i++)
		if (series->points[i].has_moment &&
		    !strcmp(series->points[i].moment.boot, first->boot)) {
			first = &series->points[i].moment;
			break;
		}
	return first->time / 1e9 + ((double)point->moment.up - (double)first->up) / 1e9;
}

static const char *leak_note(const struct kma_leak_point *point, const char *key)
{
	return kma_account_note(point->account, key) ?: "";
}

/*
 * Can two points belong to one series? Accounts that state their boot must be of the same boot,
 * load of the module and generation; other accounts must be of the same kernel, as far as they
 * state it.
 */
static bool leak_same_kernel(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	if (a->has_moment && b->has_moment)
		return kma_moment_same(&a->moment, &b->moment) && !strcmp(a->machine, b->machine);
	return !strcmp(a->machine, b->machine) &&
	       !strcmp(leak_note(a, KMA_NOTE_RELEASE), leak_note(b, KMA_NOTE_RELEASE)) &&
	       !strcmp(leak_note(a, KMA_NOTE_BUILD_ID), leak_note(b, KMA_NOTE_BUILD_ID));
}

/*
 * The number of allocations decreases only if the account restarts: a boot, a reload, a clear. Accounts
 * that state these were compared; and the number of a part of an account also decreases with a cgroup.
 */
static bool leak_goes_on(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	if (a->has_moment && b->has_moment)
		return true;
	return kma_account_total(b->account)->allocs >= kma_account_total(a->account)->allocs;
}

/* Free the sites of a point if @now is a newer point of the same series. */
static void leak_supersede(struct kma_leak_point *before, const struct kma_leak_point *now)
{
	if (!before->has_moment || !now->has_moment || before->time >= now->time ||
	    !leak_same_kernel(before, now) || !leak_goes_on(before, now))
		return;
	kma_account_drop_sites(before->account);
	before->dropped = true;
}

/*
 * Forget the sites that cannot get a verdict: only sites of the newest account of a series get one,
 * and an account whose sites are freed is not the newest of its series. The last point has no rows
 * yet.
 */
static void leak_forget(struct kma_leak_series *series)
{
	_cleanup_free_ bool *keep = NULL;
	size_t nr;

	kma_account_sites(series->points[series->nr - 1].account, &nr);
	keep = kma_xcalloc(kma_numbers_count(series->numbers) + nr + 1, sizeof(*keep));
	for (size_t i = 0; i < series->nr; i++) {
		const struct kma_site *sites = kma_account_sites(series->points[i].account, &nr);

		for (size_t n = 0; n < nr; n++) {
			uint32_t number = kma_numbers_get(series->numbers, &sites[n]);

			if (number != KMA_NUMBERS_NONE)
				keep[number] = true;
		}
	}
	nr = kma_numbers_count(series->numbers);
	kma_numbers_keep(series->numbers, keep);
	for (size_t i = 0; i + 1 < series->nr; i++)
		leak_rows_keep(&series->points[i].rows, keep, nr);
}

/*
 * Number the sites of the last point. If there are many numbers, forget sites that are gone before.
 */
static struct kma_err *leak_numbers(struct kma_leak_series *series, const uint32_t **ret)
{
	const struct kma_account *account = series->points[series->nr - 1].account;
	struct kma_err *err;

	if (kma_numbers_count(series->numbers) >= series->many) {
		leak_forget(series);
		/* Wait until the numbers have doubled: forgetting then takes linear time. */
		series->many = 2 * (size_t)kma_numbers_count(series->numbers);
		if (series->many < KMA_LEAK_MANY)
			series->many = KMA_LEAK_MANY;
	}
	err = kma_numbers_of(series->numbers, account, ret);
	if (!err || !kma_numbers_is_full(series->numbers))
		return err;
	kma_err_destroy(err);
	leak_forget(series);
	return kma_numbers_of(series->numbers, account, ret);
}

/* Copy the sums of a point's account into its rows. */
static struct kma_err *leak_take(struct kma_leak_series *series, struct kma_leak_point *point)
{
	const uint32_t *numbers;
	struct kma_err *err = leak_numbers(series, &numbers);

	if (err)
		return err;
	leak_rows_fill(&point->rows, point->account, numbers, kma_numbers_count(series->numbers));
	return NULL;
}

struct kma_err *kma_leak_series_add(struct kma_leak_series *series, struct kma_account *account,
				    double time, const char *machine)
{
	struct kma_leak_point *point;

	if (series->change) {
		struct kma_err *err = series->change(series->arg, &account);

		if (err) {
			kma_account_destroy(account);
			return err;
		}
	}
	kma_array_room(series->points, series->nr, series->room);
	point = &series->points[series->nr];
	*point = (struct kma_leak_point){ .account = account, .time = time, .given = series->nr };
	point->has_moment = kma_moment_of(account, &point->moment) && *point->moment.boot;
	if (time < 0)
		point->time = leak_since_boot(series, point);
	series->nr++;
	point->machine = kma_xstrdup(machine);
	if (series->nr > 1)
		leak_supersede(point - 1, point);
	return leak_take(series, point);
}

static int leak_by_time(const void *a, const void *b)
{
	const struct kma_leak_point *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->given > y->given) - (x->given < y->given);
}

/* Are two points the same account? It has the same time, machine and totals. */
static bool leak_is_twice(const struct kma_leak_point *a, const struct kma_leak_point *b)
{
	return a->time == b->time && !strcmp(a->machine, b->machine) &&
	       !memcmp(kma_account_total(a->account), kma_account_total(b->account),
		       sizeof(struct kma_values));
}

/* Sort the points by time, and remove those that were given twice. */
static void leak_order(struct kma_leak_series *series, struct kma_notes *notes)
{
	size_t kept = 0, moved = 0, twice = 0;

	if (series->nr)
		qsort(series->points, series->nr, sizeof(*series->points), leak_by_time);
	for (size_t i = 0; i < series->nr; i++) {
		moved += series->points[i].given != i;
		if (kept && leak_is_twice(&series->points[kept - 1], &series->points[i])) {
			leak_point_deinit(&series->points[i]);
			twice++;
			continue;
		}
		series->points[kept++] = series->points[i];
	}
	series->nr = kept;
	if (moved)
		kma_notes_add(notes, "inputs were not in the order of time; they were sorted");
	if (twice)
		kma_notes_add(notes, "%zu %s given more than once; each counts once", twice,
			      kma_plural(twice, "input is", "inputs are"));
}

/* Do all accounts state their boot? */
static bool leak_boots(const struct kma_leak_series *series)
{
	for (size_t i = 0; i < series->nr; i++)
		if (!series->points[i].has_moment)
			return false;
	return true;
}

/* Note the largest jump of the wall clock in a boot. */
static void leak_say_clock(const struct kma_leak_series *series, struct kma_notes *notes)
{
	int64_t most = 0;

	for (size_t i = 1; i < series->nr; i++) {
		const struct kma_leak_point *a = &series->points[i - 1], *b = &series->points[i];
		int64_t jump = a->has_moment && b->has_moment &&
					       kma_moment_same(&a->moment, &b->moment) ?
				       kma_moment_jumped(&a->moment, &b->moment) :
				       0;

		if (llabs(jump) > llabs(most))
			most = jump;
	}
	if (most)
		kma_notes_add(notes,
			      "the clock was set by %.0f s between two inputs; using the boot time",
			      most / 1e9);
}

static void leak_say_left_out(const struct kma_leak_series *series, size_t kept, bool restarts,
			      struct kma_notes *notes)
{
	const char *why =
		restarts ? "the number of allocations decreased, as after a reboot or a clear" :
		leak_boots(series) ? "they are of different boots, reloads or clears" :
				     "they are of different machines or kernels";

	if (kept < series->nr)
		kma_notes_add(
			notes,
			"inputs are of several series: %s; using the longest series (%zu of %zu inputs)",
			why, kept, series->nr);
}

/*
 * Number the boots, and keep the points of the boot that has the most. A point belongs to the boot
 * of the last point before it that can be of the same series.
 */
static void leak_choose(struct kma_leak_series *series, struct kma_notes *notes)
{
	_cleanup_free_ size_t *lengths = kma_xcalloc(series->nr + 1, sizeof(*lengths));
	size_t best = 0, boots = 0, kept = 0;
	bool restarts = false;

	for (size_t i = 0; i < series->nr; i++) {
		struct kma_leak_point *point = &series->points[i];
		size_t before = i;

		while (before && !leak_same_kernel(&series->points[before - 1], point))
			before--;
		if (before && (series->points[before - 1].dropped ||
			       leak_goes_on(&series->points[before - 1], point))) {
			point->boot = series->points[before - 1].boot;
		} else {
			restarts |= before > 0;
			point->boot = boots++;
		}
		lengths[point->boot]++;
		if (lengths[point->boot] >= lengths[best])
			best = point->boot;
	}
	leak_say_left_out(series, lengths[best], restarts, notes);
	for (size_t i = 0; i < series->nr; i++)
		if (series->points[i].boot == best)
			series->points[kept++] = series->points[i];
		else
			leak_point_deinit(&series->points[i]);
	series->left_out = series->nr - kept;
	series->nr = kept;
}

size_t kma_leak_series_left_out(const struct kma_leak_series *series)
{
	return series->left_out;
}

size_t kma_leak_series_given(const struct kma_leak_series *series, size_t i)
{
	return series->points[i].given;
}

static int leak_compare(const struct kma_site *x, const struct kma_site *y)
{
	int order = strcmp(x->caller, y->caller);

	if (!order)
		order = (int)x->kind - (int)y->kind;
	return order ? order : strcmp(x->group ?: "", y->group ?: "");
}

static int leak_by_caller(const void *a, const void *b)
{
	return leak_compare(*(const struct kma_site *const *)a, *(const struct kma_site *const *)b);
}

/* List the sites of the newest account, sorted, each once. */
static void leak_last(struct kma_leak_series *series)
{
	const struct kma_leak_point *newest = &series->points[series->nr - 1];
	bool chosen = kma_account_note(newest->account, KMA_NOTE_CHOSEN);
	const struct kma_site *sites;
	size_t nr, kept = 0;

	sites = kma_account_sites(newest->account, &nr);
	series->last = kma_xcalloc(nr + 1, sizeof(const struct kma_site *));
	for (size_t i = 0; i < nr; i++)
		if (!chosen || strcmp(sites[i].caller, KMA_SITE_MISSING))
			series->last[kept++] = &sites[i];
	if (kept)
		qsort(series->last, kept, sizeof(const struct kma_site *), leak_by_caller);
	for (size_t i = 0; i < kept; i++)
		if (!i || leak_compare(series->last[i - 1], series->last[i]))
			series->last[series->nr_last++] = series->last[i];
}

/* Seconds from the first point to the newest. */
static double leak_covers(const struct kma_leak_series *series)
{
	return series->points[series->nr - 1].time - series->points[0].time;
}

/* The epoch whose bound is between a quarter and a half of the series; 0: none is that short. */
static unsigned int leak_epoch(const struct kma_leak_series *series)
{
	double covers = leak_covers(series);
	unsigned int epoch = 1;

	while (epoch + 1 < KMA_SITE_EPOCHS - 1 && (double)(2U << epoch) <= covers / 2)
		epoch++;
	return 1U << epoch <= covers / 2 ? epoch : 0;
}

void kma_leak_series_finish(struct kma_leak_series *series, struct kma_notes *notes)
{
	leak_order(series, notes);
	leak_choose(series, notes);
	if (!series->nr)
		return;
	leak_say_clock(series, notes);
	series->epoch = leak_epoch(series);
	leak_last(series);
}

struct kma_account *kma_leak_series_account(const struct kma_leak_series *series, size_t i)
{
	return i < series->nr ? series->points[i].account : NULL;
}

const struct kma_site *const *kma_leak_series_sites(const struct kma_leak_series *series,
						    size_t *nr)
{
	*nr = series->nr_last;
	return series->last;
}

bool kma_leak_series_samples(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_sample *ret, size_t *nr)
{
	size_t number = kma_numbers_get(series->numbers, site);
	bool counts = true;

	*nr = 0;
	for (size_t i = 0; i < series->nr; i++) {
		const struct kma_leak_point *point = &series->points[i];
		const struct kma_leak_sums *row = leak_rows_get(&point->rows, number);

		if (!leak_rows_know(&point->rows, number) ||
		    (!row->there && kma_account_note(point->account, KMA_NOTE_CHOSEN)))
			continue;
		counts &= (kma_account_metrics(point->account) & KMA_LEAK_COUNTS) ==
			  KMA_LEAK_COUNTS;
		ret[*nr] = (struct kma_leak_sample){
			.time = point->time,
			.live = row->live,
			.objects = row->allocs > row->frees ? row->allocs - row->frees : 0,
			.allocs = row->allocs,
		};
		if (*nr && ret[*nr].allocs < ret[*nr - 1].allocs)
			ret[*nr].allocs = ret[*nr - 1].allocs;
		++*nr;
	}
	return counts;
}

size_t kma_leak_series_nr(const struct kma_leak_series *series)
{
	return series->nr;
}

/* At one time: objects of a site that are at least as old as an epoch's bound; its allocations. */
struct kma_leak_old {
	double time, objects, allocs;
};

/*
 * Interpolate the member at @offset of kma_leak_old at a time between two samples; outside the
 * series the nearest sample counts.
 */
static double leak_between(const struct kma_leak_old *old, size_t nr, double time, size_t offset)
{
	size_t i = 1;
	double a, b, share;

	while (i < nr - 1 && old[i].time < time)
		i++;
	a = *(const double *)((const char *)&old[i - 1] + offset);
	b = *(const double *)((const char *)&old[i] + offset);
	share = old[i].time > old[i - 1].time ?
			(time - old[i - 1].time) / (old[i].time - old[i - 1].time) :
			1;
	return a + (b - a) * (share < 0 ? 0 : share > 1 ? 1 : share);
}

/* Does each account state the ages of a site's objects? */
static bool leak_has_ages(const struct kma_leak_series *series, size_t number)
{
	for (size_t i = 0; i < series->nr; i++)
		if (!series->points[i].rows.births ||
		    !leak_rows_know(&series->points[i].rows, number))
			return false;
	return series->nr >= KMA_LEAK_MIN_SAMPLES;
}

/*
 * The objects that are at least E seconds old give the survivors of a cohort at the age of E
 * (@now), those that are at least E / 2 old its survivors at half that age (@before). The top of
 * the file describes the method.
 */
void kma_leak_series_cohorts(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_cohort *ret, size_t *nr)
{
	const size_t objects = offsetof(struct kma_leak_old, objects);
	_cleanup_free_ struct kma_leak_old *full = NULL, *half = NULL;
	size_t number = kma_numbers_get(series->numbers, site);
	double begin, covers, bound, step;

	*nr = 0;
	if (!series->epoch || !leak_has_ages(series, number))
		return;
	begin = series->points[0].time;
	covers = leak_covers(series);
	bound = 1U << series->epoch;
	full = kma_xcalloc(series->nr, sizeof(*full));
	half = kma_xcalloc(series->nr, sizeof(*half));
	for (size_t i = 0; i < series->nr; i++) {
		const struct kma_leak_point *point = &series->points[i];
		double allocs = leak_rows_get(&point->rows, number)->allocs;
		uint64_t old = leak_rows_older(&point->rows, number, series->epoch + 1);
		uint64_t younger = leak_rows_older(&point->rows, number, series->epoch);

		full[i] = (struct kma_leak_old){ point->time, old, allocs };
		half[i] = (struct kma_leak_old){ point->time, younger, allocs };
	}
	step = (covers - bound) / KMA_LEAK_SERIES_COHORTS;
	for (size_t i = 0; i < KMA_LEAK_SERIES_COHORTS; i++) {
		double from = begin + i * step, to = from + step; /* of the births */

		ret[i] = (struct kma_leak_cohort){
			.age = begin + covers - to,
			.births = leak_between(full, series->nr, to,
					       offsetof(struct kma_leak_old, allocs)) -
				  leak_between(full, series->nr, from,
					       offsetof(struct kma_leak_old, allocs)),
			.before = fmax(0, leak_between(half, series->nr, to + bound / 2, objects) -
						  leak_between(half, series->nr, from + bound / 2,
							       objects)),
			.now = fmax(0,
				    leak_between(full, series->nr, to + bound, objects) -
					    leak_between(full, series->nr, from + bound, objects)),
		};
	}
	*nr = KMA_LEAK_SERIES_COHORTS;
}

/* Go back from the newest account while the lists of modules lack the module of the site. */
double kma_leak_series_unloaded(const struct kma_leak_series *series, const struct kma_site *site)
{
	double since = -1;

	if (!site->module || !series->nr)
		return -1;
	for (size_t i = series->nr; i--;) {
		const char *list = kma_account_note(series->points[i].account, KMA_NOTE_MODULES);

		if (!list)
			return -1;
		if (kma_list_has(list, site->module))
			break;
		since = series->points[i].time;
	}
	return since < 0 ? -1 : series->points[series->nr - 1].time - since;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * past.c - the samples of a history that a series has: an interval, its ends, one sample.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "past.h"
#include "refuse.h"
#include "store/day.h"
#include "store/history.h"
#include "store/when.h"

/*
 * The samples of a history that are nearest to a time and can be read.
 *
 * Each day is searched from @time outwards, in groups of KMA_DAY_KEY samples. The samples of a group
 * are read in the order of the file, which decodes each of them once, because a sample is decoded
 * from the one before it; the nearest one that can be read is the result. Reading the nearest one
 * first would decode up to KMA_DAY_KEY samples for each sample that cannot be read.
 *
 * A day of n samples thus takes at most 2 n + KMA_DAY_KEY decoded samples, and a sort.
 */

/* A sample of the day that is loaded. */
struct kma_near_sample {
	uint64_t time;
	size_t i; /* its index in kma_history.samples */
};

/* Orders by time, and samples of one time by their place in the file. */
static int near_by_time(const void *a, const void *b)
{
	const struct kma_near_sample *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) :
				    (x->i > y->i) - (x->i < y->i);
}

static int near_by_place(const void *a, const void *b)
{
	const struct kma_near_sample *x = a, *y = b;

	return (x->i > y->i) - (x->i < y->i);
}

/*
 * Lists the samples of the loaded day by time. Of several samples of one time only the last one
 * is listed, because kma_history_at() reads that one.
 */
static struct kma_near_sample *near_list(const struct kma_history *history, size_t *nr)
{
	struct kma_near_sample *list = kma_xcalloc(history->nr_samples + 1, sizeof(*list));
	size_t kept = 0;

	for (size_t i = 0; i < history->nr_samples; i++)
		list[i] = (struct kma_near_sample){ history->samples[i].time, i };
	qsort(list, history->nr_samples, sizeof(*list), near_by_time);
	for (size_t i = 0; i < history->nr_samples; i++)
		if (i + 1 == history->nr_samples || list[i].time != list[i + 1].time)
			list[kept++] = list[i];
	*nr = kept;
	return list;
}

/* Sets @found to the nearest time of a group that can be read; it is unchanged if none can. */
static struct kma_err *near_group(struct kma_history *history, struct kma_near_sample *group,
				  size_t nr, bool later, uint64_t *found)
{
	struct kma_err *err = kma_day_hold(history->day);

	qsort(group, nr, sizeof(*group), near_by_place);
	for (size_t i = 0; i < nr && !err; i++) {
		struct kma_account *account = NULL;

		err = kma_day_read(history->day, history->samples, group[i].i, history->path,
				   &account);
		kma_account_destroy(account);
		if (!err) {
			if (!*found || (later ? group[i].time < *found : group[i].time > *found))
				*found = group[i].time;
		} else if (kma_err_is_of_file(err)) {
			kma_err_destroy(err);
			err = NULL;
		}
	}
	kma_day_release(history->day);
	return err;
}

/* Searches the loaded day, in the samples after @time or in the others. */
static struct kma_err *near_day(struct kma_history *history, uint64_t time, bool later,
				uint64_t *found)
{
	_cleanup_free_ struct kma_near_sample *list = NULL;
	size_t nr, split = 0;

	list = near_list(history, &nr);
	while (split < nr && list[split].time <= time)
		split++;
	while (!*found && (later ? split < nr : split > 0)) {
		size_t left = later ? nr - split : split;
		size_t len = left < KMA_DAY_KEY ? left : KMA_DAY_KEY;
		struct kma_err *err;

		split -= later ? 0 : len;
		err = near_group(history, list + split, len, later, found);
		if (err)
			return err;
		split += later ? len : 0;
	}
	return NULL;
}

/*
 * Finds the newest sample that is not after @time and the oldest one after it; 0: there is none.
 * Days that cannot be read are left out, and kma_history.damage has a sentence for each.
 */
static struct kma_err *near_find(struct kma_history *history, uint64_t time, uint64_t *before,
				 uint64_t *after)
{
	struct kma_err *err;

	*before = *after = 0;
	for (size_t d = history->nr_days; d-- && !*before;) {
		if (!kma_history_in(history->days[d], 0, time))
			continue;
		err = kma_history_visit(history, d) ?: near_day(history, time, false, before);
		if (err)
			return err;
	}
	for (size_t d = 0; d < history->nr_days && !*after; d++) {
		if (!kma_history_in(history->days[d], time, UINT64_MAX))
			continue;
		err = kma_history_visit(history, d) ?: near_day(history, time, true, after);
		if (err)
			return err;
	}
	return NULL;
}

#define DAY (86400 * KMA_NS_PER_S)

struct kma_err *kma_past_open(struct kma_series *series)
{
	const struct kma_series_wish *wish = &series->wish;
	struct kma_err *err;
	const char *text;
	size_t len;

	if (series->history)
		return NULL;
	if (series->input && kma_input_text(series->input, &text, &len))
		err = kma_history_unpack(series->ref.path, text, len, &series->history);
	else
		err = kma_history_open(series->ref.path, &series->history);
	if (err)
		return err;
	series->history->groups = !wish->all || wish->groups || wish->with_groups;
	series->history->need = wish->need;
	return NULL;
}

/* Makes an error about a sample that cannot be read name the nearest ones that can. */
static struct kma_err *name_nearest(struct kma_history *history, uint64_t time,
				    struct kma_err *damage)
{
	char earlier[KMA_WHEN_LEN], later[KMA_WHEN_LEN];
	uint64_t before = 0, after = 0;
	struct kma_err *err = near_find(history, time, &before, &after);

	/* Without another sample the first error stands. */
	if (err || (!before && !after)) {
		kma_err_destroy(err);
		return damage;
	}
	kma_when_text(before, earlier);
	kma_when_text(after, later);
	if (before && after)
		err = kma_err_create_kind(
			damage->kind, damage->file, damage->line,
			"%s; the nearest samples that can be read are of %s and of %s",
			damage->message, earlier, later);
	else
		err = kma_err_create_kind(damage->kind, damage->file, damage->line,
					  "%s; the nearest sample that can be read is of %s",
					  damage->message, before ? earlier : later);
	kma_err_destroy(damage);
	return err;
}

struct kma_err *kma_past_one(struct kma_series *series, struct kma_account **ret)
{
	uint64_t time = series->wish.at;
	struct kma_err *err;

	if (!time && series->ref.label) {
		err = kma_when_parse(series->ref.label, kma_clock(CLOCK_REALTIME), &time);
		if (err)
			return err;
		time = kma_when_end(time);
	}
	err = kma_past_open(series);
	if (err)
		return err;
	time = time ?: UINT64_MAX;
	err = kma_history_at(series->history, time, ret);
	return kma_err_is_of_file(err) ? name_nearest(series->history, time, err) : err;
}

struct kma_err *kma_past_interval(const struct kma_series_wish *wish, uint64_t newest,
				  uint64_t *begin, uint64_t *end)
{
	uint64_t now = kma_clock(CLOCK_REALTIME);
	struct kma_err *err = NULL;

	*begin = 0;
	*end = UINT64_MAX;
	if (wish->from)
		err = kma_when_parse(wish->from, now, begin);
	else if (newest > DAY)
		*begin = newest - DAY;
	if (!err && wish->to)
		err = kma_when_parse(wish->to, now, end);
	if (err)
		return err;
	if (*begin < *end) {
		*end = wish->to ? kma_when_end(*end) : *end;
		return NULL;
	}
	return kma_refuse_empty_interval(wish->from);
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Returns the usual time between two samples: the median, without samples of one time. */
static uint64_t usual_step(const uint64_t *times, size_t nr)
{
	_cleanup_free_ uint64_t *steps = kma_xcalloc(nr, sizeof(*steps));
	size_t nr_steps = 0;

	for (size_t i = 1; i < nr; i++)
		if (times[i] != times[i - 1])
			steps[nr_steps++] = times[i] - times[i - 1];
	if (!nr_steps)
		return 0;
	qsort(steps, nr_steps, sizeof(*steps), by_time);
	return steps[nr_steps / 2];
}

/* Finds the ends of an interval in the sorted times of all samples. */
static struct kma_err *find_ends(const struct kma_series *series, const uint64_t *times, size_t nr,
				 struct kma_past_ends *ret)
{
	char oldest[KMA_WHEN_LEN], newest[KMA_WHEN_LEN];
	size_t first = 0, after = nr;
	struct kma_err *err;

	err = kma_past_interval(&series->wish, times[nr - 1], &ret->begin, &ret->end);
	if (err)
		return err;
	while (first < nr && times[first] < ret->begin)
		first++;
	while (after > first && times[after - 1] > ret->end)
		after--;
	if (first < after && times[first] < times[after - 1]) {
		ret->first = times[first];
		ret->last = times[after - 1];
		return NULL;
	}
	kma_when_text(times[0], oldest);
	kma_when_text(times[nr - 1], newest);
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, series->name, 0,
				   "%s in that interval; the samples are from %s to %s",
				   first < after ? "only one sample" : "no sample", oldest, newest);
}

/* Adds a sentence about a time far from the samples, unless it is the default or "newest". */
static void note_far(struct kma_series *series, const char *option, const char *typed,
		     uint64_t sample)
{
	char when[KMA_WHEN_LEN];

	if (!typed || !strcmp(typed, KMA_WHEN_NEWEST))
		return;
	kma_when_text(sample, when);
	kma_notes_add(&series->notes,
		      "%s: no sample near %s %s; the nearest one in the interval is of %s",
		      series->name, option, typed, when);
}

/*
 * Counts the days that cannot be read and may have an earlier first or a later last sample. An
 * interval without --from begins a day before the newest sample, which a lost day may have, too.
 */
static size_t count_lost(const struct kma_series *series, const struct kma_past_ends *ends)
{
	const struct kma_history *history = series->history;
	uint64_t end = series->wish.from ? ends->end : UINT64_MAX;
	size_t nr = 0;

	for (size_t i = 0; i < history->nr_days; i++) {
		const char *day = history->days[i];

		nr += history->lost[i] && (kma_history_in(day, ends->begin, ends->first - 1) ||
					   kma_history_in(day, ends->last + 1, end));
	}
	return nr;
}

struct kma_err *kma_past_find_ends(struct kma_series *series, struct kma_past_ends *ret)
{
	_cleanup_free_ uint64_t *times = NULL;
	struct kma_err *err;
	uint64_t near;
	size_t nr;

	err = kma_past_open(series);
	if (err)
		return err;
	err = kma_history_times(series->history, &times, &nr);
	kma_notes_move(&series->history->damage, &series->notes);
	if (err)
		return err;
	qsort(times, nr, sizeof(*times), by_time);
	err = find_ends(series, times, nr, ret);
	if (err)
		return err;
	near = usual_step(times, nr) * 5 / 2;
	if (ret->first - ret->begin > near)
		note_far(series, "--from", series->wish.from, ret->first);
	if (ret->end - ret->last > near)
		note_far(series, "--to", series->wish.to, ret->last);
	ret->damaged = count_lost(series, ret);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * near.c - find the samples of a history that are nearest to a time and can be read.
 *
 * Each day is searched from @time outwards, in groups of KMA_DAY_KEY samples. The samples of a group
 * are read in the order of the file, which decodes each of them once, because a sample is decoded
 * from the one before it; the nearest one that can be read is the result. Reading the nearest one
 * first would decode up to KMA_DAY_KEY samples for each sample that cannot be read.
 *
 * A day of n samples thus takes at most 2 n + KMA_DAY_KEY decoded samples, and a sort.
 */
#include <stdlib.h>

#include "day-read.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "near.h"

/* A sample of the day that is loaded. */
struct kma_near_sample {
	uint64_t time;
	size_t i; /* its index in kma_history.samples */
};

/* Orders by time, and samples of one time by their place in the file. */
static int kma_near_by_time(const void *a, const void *b)
{
	const struct kma_near_sample *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) :
				    (x->i > y->i) - (x->i < y->i);
}

static int kma_near_by_place(const void *a, const void *b)
{
	const struct kma_near_sample *x = a, *y = b;

	return (x->i > y->i) - (x->i < y->i);
}

/*
 * Lists the samples of the loaded day by time. Of several samples of one time only the last one
 * is listed, because kma_history_at() reads that one.
 */
static struct kma_near_sample *kma_near_list(const struct kma_history *history, size_t *nr)
{
	struct kma_near_sample *list = kma_xcalloc(history->nr_samples + 1, sizeof(*list));
	size_t kept = 0;

	for (size_t i = 0; i < history->nr_samples; i++)
		list[i] = (struct kma_near_sample){ history->samples[i].time, i };
	qsort(list, history->nr_samples, sizeof(*list), kma_near_by_time);
	for (size_t i = 0; i < history->nr_samples; i++)
		if (i + 1 == history->nr_samples || list[i].time != list[i + 1].time)
			list[kept++] = list[i];
	*nr = kept;
	return list;
}

/* Sets @found to the nearest time of a group that can be read; it is unchanged if none can. */
static struct kma_err *kma_near_group(struct kma_history *history, struct kma_near_sample *group,
				      size_t nr, bool later, uint64_t *found)
{
	struct kma_err *err = kma_day_hold(history->day);

	qsort(group, nr, sizeof(*group), kma_near_by_place);
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
static struct kma_err *kma_near_day(struct kma_history *history, uint64_t time, bool later,
				    uint64_t *found)
{
	_cleanup_free_ struct kma_near_sample *list = NULL;
	size_t nr, split = 0;

	list = kma_near_list(history, &nr);
	while (split < nr && list[split].time <= time)
		split++;
	while (!*found && (later ? split < nr : split > 0)) {
		size_t left = later ? nr - split : split;
		size_t len = left < KMA_DAY_KEY ? left : KMA_DAY_KEY;
		struct kma_err *err;

		split -= later ? 0 : len;
		err = kma_near_group(history, list + split, len, later, found);
		if (err)
			return err;
		split += later ? len : 0;
	}
	return NULL;
}

struct kma_err *kma_near_find(struct kma_history *history, uint64_t time, uint64_t *before,
			      uint64_t *after)
{
	struct kma_err *err;

	*before = *after = 0;
	for (size_t d = history->nr_days; d-- && !*before;) {
		if (!kma_history_in(history->days[d], 0, time))
			continue;
		err = kma_history_visit(history, d) ?: kma_near_day(history, time, false, before);
		if (err)
			return err;
	}
	for (size_t d = 0; d < history->nr_days && !*after; d++) {
		if (!kma_history_in(history->days[d], time, UINT64_MAX))
			continue;
		err = kma_history_visit(history, d) ?: kma_near_day(history, time, true, after);
		if (err)
			return err;
	}
	return NULL;
}

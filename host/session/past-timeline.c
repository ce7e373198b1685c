// SPDX-License-Identifier: GPL-2.0-only
/*
 * past-timeline.c - read the live bytes of each call site over time from a history directory.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/filter.h"
#include "model/loss-series.h"
#include "model/moment.h"
#include "model/numbers.h"
#include "past-timeline.h"

/* State of reading a history. */
struct kma_past_reading {
	const char *path;
	struct kma_timeline *timeline;
	struct kma_numbers *numbers; /* numbers of the sites, from their texts */
	struct kma_account *last;    /* the account of the previous sample, or NULL */
	struct kma_loss_series losses[KMA_NR_LOSSES];
};

/* Adds a sample. A new site gets the next number and is added to the timeline's account. */
static struct kma_err *past_fill(struct kma_past_reading *reading,
				 const struct kma_account *account, uint64_t ns)
{
	uint32_t known = kma_numbers_count(reading->numbers);
	struct kma_timeline_sample *sample;
	const struct kma_site *sites;
	const uint32_t *numbers;
	struct kma_err *err;
	size_t nr;

	err = kma_numbers_of(reading->numbers, account, &numbers);
	if (err)
		return err;
	sample = kma_timeline_add(reading->timeline, kma_numbers_count(reading->numbers), ns);
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++) {
		sample->bytes[numbers[i]] += sites[i].values.current;
		if (numbers[i] == known) {
			err = kma_account_copy_site(&sites[i], reading->timeline->account);
			known++;
		}
	}
	return err;
}

static void past_losses(struct kma_past_reading *reading, const struct kma_account *account,
			bool begins)
{
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		uint64_t events;
		bool said = kma_account_loss(account, id, &events);

		kma_loss_series_add(&reading->losses[id], said, events, begins);
		if (said)
			kma_account_set_loss(reading->timeline->account, id,
					     reading->losses[id].all);
	}
}

/* Takes over the account of a sample. */
static struct kma_err *past_take(struct kma_past_reading *reading, struct kma_account *account)
{
	struct kma_timeline *timeline = reading->timeline;
	uint64_t ns = timeline->nr ? timeline->samples[timeline->nr - 1].ns : 0;
	struct kma_timeline_sample *sample;
	struct kma_moment moment, before;
	struct kma_err *err;

	if (!timeline->account) {
		timeline->account = kma_account_create(reading->path);
		kma_account_copy_head(account, timeline->account);
	}
	/* a clock that was set back does not move the chart back */
	if (kma_moment_of(account, &moment) && moment.time > ns)
		ns = moment.time;
	err = past_fill(reading, account, ns);
	if (!err) {
		sample = &timeline->samples[timeline->nr - 1];
		sample->begins = reading->last && kma_moment_of(account, &moment) &&
				 kma_moment_of(reading->last, &before) &&
				 !kma_moment_same(&moment, &before);
		past_losses(reading, account, sample->begins);
		sample->lost = reading->losses[KMA_LOSS_NOT_RECORDED].since;
	}
	kma_account_destroy(reading->last);
	reading->last = account;
	return err;
}

/* Finishes the account, which may sort its sites: timeline->rows has the number of each row. */
static struct kma_err *past_finish(struct kma_past_reading *reading)
{
	struct kma_timeline *timeline = reading->timeline;
	const uint32_t *numbers;
	struct kma_err *err;
	size_t nr;

	err = kma_account_finish(timeline->account) ?:
		      kma_numbers_of(reading->numbers, timeline->account, &numbers);
	if (err)
		return err;
	kma_account_sites(timeline->account, &nr);
	timeline->rows = kma_xcalloc(nr + 1, sizeof(*timeline->rows));
	if (nr)
		memcpy(timeline->rows, numbers, nr * sizeof(*numbers));
	return NULL;
}

struct kma_err *kma_past_timeline_read(struct kma_series *series, struct kma_timeline **ret)
{
	struct kma_past_reading reading = { .path = series->ref.path };
	struct kma_account *account;
	struct kma_err *err;

	err = kma_numbers_create("use a shorter interval with --from and --to", &reading.numbers);
	if (err)
		return err;
	series->wish.all = true;
	/* a call site without live bytes is not in the picture, but its group may be */
	series->wish.need.metrics = series->wish.groups ? KMA_SERIES_COUNTS :
							  1U << KMA_CURRENT | 1U << KMA_REQUESTED |
								  1U << KMA_OBJECTS;
	reading.timeline = kma_xcalloc(1, sizeof(*reading.timeline));
	do {
		err = kma_series_next(series, &account);
		if (!err && account)
			err = past_take(&reading, account);
	} while (!err && account);
	if (!err)
		err = past_finish(&reading);
	kma_numbers_destroy(reading.numbers);
	kma_account_destroy(reading.last);
	if (err) {
		kma_timeline_destroy(reading.timeline);
		return err;
	}
	reading.timeline->clock = true;
	*ret = reading.timeline;
	return NULL;
}

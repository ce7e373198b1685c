// SPDX-License-Identifier: GPL-2.0-only
/*
 * past-timeline.c - live bytes of each call site of a history folder, over time.
 */
#include <stdlib.h>
#include <string.h>

#include "model/filter.h"
#include "model/intern.h"
#include "model/loss-series.h"
#include "model/moment.h"
#include "past-timeline.h"
#include "past.h"

/* While the history is read. */
struct kma_past_reading {
	const char *path;
	struct kma_timeline *timeline;
	struct kma_intern *intern; /* numbers of the sites */
	struct kma_account *last;  /* the account of the sample before, or NULL */
	struct kma_loss_series losses[KMA_NR_LOSSES];
};

/* The number of a site. A site without a number gets one, and is added to the account. */
static struct kma_err *kma_past_site(struct kma_past_reading *reading, const struct kma_site *site,
				     uint32_t *ret)
{
	struct kma_account *account = reading->timeline->account;
	uint32_t known = kma_intern_count(reading->intern);
	struct kma_err *err;

	*ret = site->group ?
		       kma_intern_grouped(reading->intern, site->kind, site->caller,
					  strlen(site->caller), site->group) :
		       kma_intern(reading->intern, site->kind, site->caller, strlen(site->caller));
	/* the bytes of this site would be lost */
	if (*ret == KMA_INTERN_REST)
		return kma_err_create(
			reading->path, 0,
			"too many call sites; use a shorter interval with --from and --to");
	if (*ret < known)
		return NULL;
	err = kma_account_copy_site(site, account);
	return err || !site->group ? err :
				     kma_account_set_group(account, site->grouped, site->group);
}

static struct kma_err *kma_past_fill(struct kma_past_reading *reading,
				     const struct kma_account *account, uint64_t ns)
{
	uint32_t known = kma_intern_count(reading->intern), site;
	struct kma_timeline_sample *sample;
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	/* at most all of them are new */
	sample = kma_timeline_add(reading->timeline, known + nr, ns);
	if (!sample)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++) {
		err = kma_past_site(reading, &sites[i], &site);
		if (!err)
			sample->bytes[site] += sites[i].values.current;
	}
	return err;
}

static void kma_past_losses(struct kma_past_reading *reading, const struct kma_account *account,
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

static struct kma_err *kma_past_take(void *arg, struct kma_account *account)
{
	struct kma_past_reading *reading = arg;
	struct kma_timeline *timeline = reading->timeline;
	uint64_t ns = timeline->nr ? timeline->samples[timeline->nr - 1].ns : 0;
	struct kma_timeline_sample *sample;
	struct kma_moment moment, before;
	struct kma_err *err = NULL;

	if (!timeline->account) {
		err = kma_account_create(reading->path, &timeline->account);
		if (!err)
			err = kma_account_copy_head(account, timeline->account);
	}
	/* a clock that was set back does not move the chart back */
	if (kma_moment_of(account, &moment) && moment.time > ns)
		ns = moment.time;
	if (!err)
		err = kma_past_fill(reading, account, ns);
	if (!err) {
		sample = &timeline->samples[timeline->nr - 1];
		sample->begins = reading->last && kma_moment_of(account, &moment) &&
				 kma_moment_of(reading->last, &before) &&
				 !kma_moment_same(&moment, &before);
		kma_past_losses(reading, account, sample->begins);
		sample->lost = reading->losses[KMA_LOSS_NOT_RECORDED].since;
	}
	kma_account_destroy(reading->last);
	reading->last = account;
	return err;
}

/* The account may have its sites in another order than that of their numbers. */
static struct kma_err *kma_past_finish(struct kma_past_reading *reading)
{
	struct kma_timeline *timeline = reading->timeline;
	const struct kma_site *sites;
	struct kma_err *err = kma_account_finish(timeline->account);
	size_t nr;

	if (err)
		return err;
	sites = kma_account_sites(timeline->account, &nr);
	timeline->rows = calloc(nr + 1, sizeof(*timeline->rows));
	if (!timeline->rows)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_past_site(reading, &sites[i], &timeline->rows[i]);
	return err;
}

struct kma_err *kma_past_timeline_read(const struct kma_past_wish *wish, struct kma_timeline **ret,
				       struct kma_notes *damage)
{
	struct kma_past_reading reading = { .path = wish->path };
	struct kma_err *err = kma_intern_create(&reading.intern);

	if (err)
		return err;
	reading.timeline = calloc(1, sizeof(*reading.timeline));
	err = reading.timeline ? kma_past_each(wish, kma_past_take, &reading, damage) : &kma_enomem;
	if (!err)
		err = kma_past_finish(&reading);
	kma_intern_destroy(reading.intern);
	kma_account_destroy(reading.last);
	if (err) {
		kma_timeline_destroy(reading.timeline);
		return err;
	}
	reading.timeline->clock = true;
	*ret = reading.timeline;
	return NULL;
}

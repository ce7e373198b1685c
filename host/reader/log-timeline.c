// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-timeline.c - live bytes of each call site of an event log, over time.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "log-sites.h"
#include "log-timeline.h"

#define KMA_TIMELINE_STEP 1000 /* first interval, ns */

/* State while a log is read. */
struct kma_log_timeline {
	struct kma_timeline *timeline;
	size_t most;	     /* samples before every second one is dropped */
	uint64_t from, step; /* start, ns since the log began; interval between samples, ns */
	uint64_t next;	     /* time of the next sample, ns since the log began */
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	struct kma_log *log;
	struct kma_log_sites *sites;
};

/* Drop every second sample and double the interval. The first sample stays. */
static void timeline_thin(struct kma_log_timeline *t)
{
	struct kma_timeline *to = t->timeline;
	size_t kept = 0;

	for (size_t i = 0; i < to->nr; i++) {
		if (i % 2)
			free(to->samples[i].bytes);
		else
			to->samples[kept++] = to->samples[i];
	}
	to->nr = kept;
	t->step *= 2;
}

static void timeline_sample(struct kma_log_timeline *t, uint64_t ns)
{
	struct kma_timeline_sample *sample;

	sample = kma_timeline_add(t->timeline, kma_intern_count(t->intern), ns);
	for (uint32_t i = 0; i < sample->nr; i++)
		sample->bytes[i] = kma_ledger_current(t->ledger, i);
	sample->lost = kma_log_lost(kma_log_sums(t->log));
}

/* Take all samples that are due before an event at @ns. */
static void timeline_catch_up(struct kma_log_timeline *t, uint64_t ns)
{
	while (t->next <= ns) {
		const struct kma_timeline *to = t->timeline;

		if (to->nr == t->most)
			timeline_thin(t);
		/* Dropping may have removed the last sample, so the next one is due earlier. */
		t->next = to->nr ? to->samples[to->nr - 1].ns + t->step : t->from;
		if (t->next > ns)
			break;
		timeline_sample(t, t->next);
		t->next += t->step;
	}
}

/* Time since the start of the log; a corrupt log may have earlier events. */
static uint64_t timeline_since(const struct kma_log_timeline *t, uint64_t time)
{
	uint64_t start = kma_log_head(t->log)->start;

	return time < start ? 0 : time - start;
}

static void timeline_take(struct kma_log_timeline *t, const struct kma_log_item *item)
{
	struct kma_event event;
	uint32_t site;

	timeline_catch_up(t, timeline_since(t, item->time));
	kma_log_sites_find(t->sites, item, &site);
	if (item->type > KMA_LOG_ITEM_FREE)
		return;
	kma_log_event(item, site, &event);
	kma_ledger_book(t->ledger, &event, 1);
}

static void timeline_rows(struct kma_log_timeline *t)
{
	struct kma_timeline *to = t->timeline;
	size_t nr;

	kma_account_sites(to->account, &nr);
	to->rows = kma_xcalloc(nr + 1, sizeof(*to->rows));
	for (size_t i = 0; i < nr; i++)
		to->rows[i] = kma_log_sites_row(t->sites, i);
}

static void timeline_items(struct kma_log_timeline *t)
{
	const struct kma_log_item *item;
	uint64_t end;

	while (kma_log_next(t->log, &item))
		timeline_take(t, item);
	/* A log without events: kma_log_sites_fill() returns the error. */
	if (!kma_ledger_booked(t->ledger))
		return;
	/* The last sample includes the last event. */
	end = timeline_since(t, kma_log_sums(t->log)->last) + 1;
	timeline_catch_up(t, end);
	if (!t->timeline->nr || t->timeline->samples[t->timeline->nr - 1].ns < end)
		timeline_sample(t, end);
}

static struct kma_err *timeline_run(struct kma_log_timeline *t, struct kma_input *input)
{
	const struct kma_interval *interval = kma_input_interval(input);
	struct kma_err *err;

	err = kma_log_open(input, NULL, NULL, &t->log);
	if (err)
		return err;
	kma_log_interval(t->log, interval);
	t->from = t->next = interval->is ? interval->from : 0;
	t->step = KMA_TIMELINE_STEP;
	t->intern = kma_intern_new();
	t->ledger = kma_ledger_create(t->intern);
	t->sites = kma_log_sites_create(t->log, t->intern, input);
	timeline_items(t);
	t->timeline->account = kma_account_create(kma_input_name(input));
	err = kma_log_sites_fill(t->sites, t->ledger, t->timeline->account);
	if (err)
		return err;
	timeline_rows(t);
	return NULL;
}

struct kma_err *kma_timeline_read(struct kma_input *input, unsigned int points,
				  struct kma_timeline **ret)
{
	struct kma_log_timeline t = { .most = 2 * (size_t)points };
	struct kma_err *err;

	t.timeline = kma_xcalloc(1, sizeof(*t.timeline));
	err = timeline_run(&t, input);
	kma_log_sites_destroy(t.sites);
	kma_ledger_destroy(t.ledger);
	kma_intern_destroy(t.intern);
	kma_log_close(t.log);
	if (err) {
		kma_timeline_destroy(t.timeline);
		return err;
	}
	*ret = t.timeline;
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-reader.c - reader of the module's event log. A second thread counts the events (booker.h).
 *
 * With an interval, events before it create live objects but are not counted. When the interval
 * begins, counts restart at 0 and peaks at the bytes that are live then.
 */

#include "log-sites.h"
#include "log/log-file.h"
#include "model/booker.h"
#include "reader.h"

struct kma_log_reader {
	struct kma_log *log;
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	struct kma_booker *booker;
	struct kma_batch *batch;
	struct kma_log_sites *sites;
	uint64_t from; /* time at which counts restart, ns; 0: they have restarted */
};

static void log_submit(struct kma_log_reader *reader)
{
	kma_booker_submit(reader->booker);
	reader->batch = kma_booker_batch(reader->booker);
}

/* The next event is the first one that counts. */
static void log_restart(struct kma_log_reader *reader)
{
	log_submit(reader);
	reader->batch->restart = true;
	reader->from = 0;
}

static void log_take_item(struct kma_log_reader *reader, const struct kma_log_item *item)
{
	uint32_t site;

	kma_log_sites_find(reader->sites, item, &site);
	if (item->type > KMA_LOG_ITEM_FREE)
		return;
	if (reader->from && item->time >= reader->from)
		log_restart(reader);
	kma_log_event(item, site, &reader->batch->events[reader->batch->nr]);
	if (++reader->batch->nr == KMA_BATCH_EVENTS)
		log_submit(reader);
}

static void log_read_items(struct kma_log_reader *reader)
{
	const struct kma_log_item *item;

	reader->batch = kma_booker_batch(reader->booker);
	while (kma_log_next(reader->log, &item))
		log_take_item(reader, item);
	/* The interval starts after the end of the log, so it is empty. */
	if (reader->from)
		log_restart(reader);
	kma_booker_finish(reader->booker);
}

static struct kma_err *log_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_log_reader reader = { 0 };
	struct kma_err *err;

	err = kma_log_open(input, NULL, NULL, &reader.log);
	if (err)
		return err;
	reader.intern = kma_intern_new();
	reader.ledger = kma_ledger_create(reader.intern);
	reader.booker = kma_booker_create(reader.ledger);
	reader.sites = kma_log_sites_create(reader.log, reader.intern, input);
	reader.from = kma_log_interval(reader.log, kma_input_interval(input));
	log_read_items(&reader);
	err = kma_log_sites_fill(reader.sites, reader.ledger, account);
	kma_booker_destroy(reader.booker);
	kma_ledger_destroy(reader.ledger);
	kma_log_sites_destroy(reader.sites);
	kma_intern_destroy(reader.intern);
	kma_log_close(reader.log);
	return err;
}

const struct kma_reader_ops kma_reader_log = {
	.name = "an event log of the module",
	.times = true,
	.begins = KMA_LOG_MAGIC,
	.read = log_read,
};

// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-prometheus.c - read the series of kmem-account leaks from a Prometheus.
 */
#include "history/when.h"
#include "leaks-prometheus.h"
#include "prometheus/scrapes.h"
#include "open/past.h"

#define KMA_LEAKS_SECOND 1000000000ULL
#define KMA_LEAKS_DAY	 86400

static struct kma_err *kma_leaks_add_scrape(void *arg, struct kma_account *account, double time)
{
	return kma_leak_series_add(arg, account, time, "");
}

struct kma_err *kma_leaks_prometheus(const struct kma_options *opts, size_t max,
				     struct kma_leak_series *series, struct kma_notes *notes)
{
	struct kma_scrapes_query query = { .url = opts->prometheus,
					   .match = opts->match,
					   .max = max };
	uint64_t now = kma_past_now(), from = 0, to = now;
	struct kma_err *err = NULL;

	if (opts->past_to)
		err = kma_when_parse(opts->past_to, now, &to);
	if (!err && opts->past_from)
		err = kma_when_parse(opts->past_from, now, &from);
	if (err)
		return err;
	query.to = to / KMA_LEAKS_SECOND;
	query.from = from / KMA_LEAKS_SECOND;
	if (!opts->past_from)
		query.from = query.to > KMA_LEAKS_DAY ? query.to - KMA_LEAKS_DAY : 0;
	if (query.from >= query.to)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "--to is not after --from");
	return kma_scrapes_each(&query, kma_leaks_add_scrape, series, notes);
}

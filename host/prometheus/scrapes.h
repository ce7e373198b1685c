/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scrapes.h - read what a Prometheus server has stored of kmem-account's metrics (export/series.h),
 * as accounts.
 *
 * The interval is divided into steps of equal length, at most as many as the caller requests. Each
 * step with a new scrape gives one account, with the time of the scrape, not of the step. A step
 * without a new scrape gives none, so no scrape is used twice.
 *
 * Such an account does not have all call sites, only those that had series at that time (its note
 * KMA_NOTE_CHOSEN says so). The rest of the sums is in the row KMA_SITE_MISSING.
 *
 * Series of two machines are never mixed: the query must select one.
 */
#ifndef KMA_PROMETHEUS_SCRAPES_H
#define KMA_PROMETHEUS_SCRAPES_H

#include <stdint.h>

#include "lib/notes.h"
#include "model/account.h"

struct kma_scrapes_query {
	const char *url;   /* address of the server */
	const char *match; /* further labels, as 'instance="host:9770"'; NULL: none */
	uint64_t from, to; /* s since 1970 */
	size_t max;	   /* steps, at least 1; there is one more for the start of the interval */
};

/*
 * Calls @fn for each account, in the order of time. @fn owns the account, also if it returns an
 * error; its @time is in s since 1970. @notes gets a sentence if points were left out. It is an
 * error if there are no series, or series of several machines.
 */
struct kma_err *kma_scrapes_each(const struct kma_scrapes_query *query,
				 struct kma_err *(*fn)(void *arg, struct kma_account *account,
						       double time),
				 void *arg, struct kma_notes *notes);

#endif /* KMA_PROMETHEUS_SCRAPES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scrapes.h - what a Prometheus has stored of kmem-account's metrics (export/series.h), as accounts:
 * one for each scrape, or for each of a number of steps where there are more scrapes.
 *
 * Such an account does not know all call sites: it has a row for each that had series then, and the
 * rest of the sums is KMA_SITE_MISSING. Its note KMA_NOTE_CHOSEN says so.
 *
 * The time of an account is that of its scrape, not that of the step: a step without a scrape gives
 * no account, and no scrape gives two.
 */
#ifndef KMA_PROMETHEUS_SCRAPES_H
#define KMA_PROMETHEUS_SCRAPES_H

#include <stdint.h>

#include "lib/notes.h"
#include "model/account.h"

struct kma_scrapes_query {
	const char *url;   /* of the server */
	const char *match; /* further labels, as 'instance="host:9770"'; NULL: none */
	uint64_t from, to; /* s since 1970 */
	size_t max;	   /* accounts */
};

/**
 * kma_scrapes_each() - call a function for each account
 * @query: which
 * @fn: takes the account, also when it returns an error; @time is in s since 1970
 * @arg: handed to it
 * @notes: what was left out is added
 *
 * Return: NULL or an error: of the server, no series, or series of several machines.
 */
struct kma_err *kma_scrapes_each(const struct kma_scrapes_query *query,
				 struct kma_err *(*fn)(void *arg, struct kma_account *account,
						       double time),
				 void *arg, struct kma_notes *notes);

#endif /* KMA_PROMETHEUS_SCRAPES_H */

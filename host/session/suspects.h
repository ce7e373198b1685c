/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suspects.h - judge the call sites of a series of accounts, by all evidence in the accounts.
 */
#ifndef KMA_SESSION_SUSPECTS_H
#define KMA_SESSION_SUSPECTS_H

#include "model/leak-series.h"

/* A judged call site. */
struct kma_suspect {
	const struct kma_site *site; /* of the newest account */
	struct kma_leak_result result;
};

/*
 * A row, to be freed, for each of the @nr kma_leak_series_sites(). @floor: growth in bytes per hour
 * that is not a leak yet. @parts: the rows are parts of call sites, whose accounts have no ages.
 * @steps: judge only what changes in some intervals, see kma_leak_part(); NULL: in all of them.
 */
struct kma_suspect *kma_suspects_judge(const struct kma_leak_series *series, double floor,
				       bool parts, const double *steps, size_t *nr);

#endif /* KMA_SESSION_SUSPECTS_H */

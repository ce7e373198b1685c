/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-series.h - accounts of several times as a series of samples for each call site.
 *
 * All accounts of a series must be from one boot of one machine, because counters restart at a
 * boot. Accounts are divided by boot ID, load of the module and generation if they state these, and
 * otherwise by machine, release and build ID; a number of allocations that falls also starts a new
 * series. The longest series is used, the latest if several have that length, and a note reports
 * how many inputs were left out. Only sites of its newest account get a verdict.
 *
 * Never done here: samples are not made up.
 * - If an account lacks a site, the site has no live bytes at that time, and as many allocations as
 *   before. But if the account lacks sites on purpose (KMA_NOTE_CHOSEN), nothing is known of the
 *   site: it has no sample at that time. KMA_SITE_MISSING of such an account is not a site.
 * - Cgroups come and go, and each has call sites of its own. The series therefore forgets the sites
 *   that are gone when they are as many as the others, or when there are too many (intern.h). A
 *   site that comes back after that has samples from then on only.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_LEAK_SERIES_H
#define KMA_MODEL_LEAK_SERIES_H

#include "account.h"
#include "leak.h"
#include "lib/notes.h"

struct kma_leak_series;

struct kma_leak_series *kma_leak_series_create(void);

/* Sets a function that replaces each account before it is added; its error ends the addition. */
void kma_leak_series_change(struct kma_leak_series *series,
			    struct kma_err *(*change)(void *arg, struct kma_account **account),
			    void *arg);

/* The accounts are destroyed, too. */
void kma_leak_series_destroy(struct kma_leak_series *series);

/*
 * Takes ownership of a finished account, also after an error: there are too many call sites. @time
 * is in s; negative: the time that the account states (model/moment.h). @machine distinguishes
 * machines, and is copied; "" if unknown.
 */
struct kma_err *kma_leak_series_add(struct kma_leak_series *series, struct kma_account *account,
				    double time, const char *machine);

/*
 * Sorts the accounts, and selects the longest series. @notes: accounts were out of order, given
 * twice, or left out because they are of another series; the clock was set.
 */
void kma_leak_series_finish(struct kma_leak_series *series, struct kma_notes *notes);

/* Accounts that are of another series; those that were given twice do not count. */
size_t kma_leak_series_left_out(const struct kma_leak_series *series);

/*
 * How many accounts were added before account @i of the series, also those that have no part in the
 * verdicts.
 */
size_t kma_leak_series_given(const struct kma_leak_series *series, size_t i);

/*
 * The call sites of the newest account; of several rows with the same caller, kind and group only
 * one. Owned by the series, as all below.
 */
const struct kma_site *const *kma_leak_series_sites(const struct kma_leak_series *series,
						    size_t *nr);

/*
 * Fills the samples of one of kma_leak_series_sites(), in the order of time; there is space for
 * kma_leak_series_nr(). False if an account has no counts of allocations and frees: the members
 * allocs and objects of the samples are then not usable.
 */
bool kma_leak_series_samples(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_sample *ret, size_t *nr);

/* The number of accounts: the most samples that a site can have. */
size_t kma_leak_series_nr(const struct kma_leak_series *series);

/* In the order of time; NULL if there are not so many. */
struct kma_account *kma_leak_series_account(const struct kma_leak_series *series, size_t i);

/* NULL without accounts. */
static inline struct kma_account *kma_leak_series_last(const struct kma_leak_series *series)
{
	return kma_leak_series_account(series, kma_leak_series_nr(series) - 1);
}

#define KMA_LEAK_SERIES_COHORTS 8

/*
 * Fills up to KMA_LEAK_SERIES_COHORTS cohorts of a call site, oldest first; none if ages are
 * missing, or the series is too short.
 */
void kma_leak_series_cohorts(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_cohort *ret, size_t *nr);

/*
 * Time in s from the first account without the module of a call site to the end of the series;
 * negative if the module is loaded, the site is not in a module, or an account has no list of
 * modules.
 */
double kma_leak_series_unloaded(const struct kma_leak_series *series, const struct kma_site *site);

#endif /* KMA_MODEL_LEAK_SERIES_H */

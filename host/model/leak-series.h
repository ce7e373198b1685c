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

/* Create a series without accounts. */
struct kma_leak_series *kma_leak_series_create(void);

/**
 * kma_leak_series_change() - change each account before it is added
 * @series: without accounts
 * @change: replaces the account that it gets; an error ends the addition
 * @arg: passed to @change
 */
void kma_leak_series_change(struct kma_leak_series *series,
			    struct kma_err *(*change)(void *arg, struct kma_account **account),
			    void *arg);

/* Free a series and its accounts. */
void kma_leak_series_destroy(struct kma_leak_series *series);

/**
 * kma_leak_series_add() - add an account
 * @series: not finished
 * @account: finished; the series takes ownership, also after an error
 * @time: time of the account in s; negative: the time that the account states (model/moment.h)
 * @machine: name that distinguishes machines, copied; "" if unknown
 *
 * Return: NULL, or an error that there are too many call sites.
 */
struct kma_err *kma_leak_series_add(struct kma_leak_series *series, struct kma_account *account,
				    double time, const char *machine);

/**
 * kma_leak_series_finish() - sort the accounts, and select the longest series
 * @series: all accounts were added
 * @notes: notes for the user are added: accounts were out of order, given twice, or left out
 *	because they are of another series; the clock was set
 */
void kma_leak_series_finish(struct kma_leak_series *series, struct kma_notes *notes);

/**
 * kma_leak_series_left_out() - get the number of accounts that are of another series
 * @series: finished
 *
 * Return: how many of the accounts that were added have no part in the verdicts; an account that
 * was given twice is not among them.
 */
size_t kma_leak_series_left_out(const struct kma_leak_series *series);

/**
 * kma_leak_series_given() - get the position of an account among all that were added
 * @series: finished
 * @i: index of the account in the series, below kma_leak_series_nr()
 *
 * Return: how many accounts were added before it, also those that have no part in the verdicts.
 */
size_t kma_leak_series_given(const struct kma_leak_series *series, size_t i);

/**
 * kma_leak_series_sites() - get the call sites of the newest account
 * @series: finished
 * @nr: set to the number of sites
 *
 * Return: an array owned by the series. Of several rows with the same caller, kind and group it has
 * one.
 */
const struct kma_site *const *kma_leak_series_sites(const struct kma_leak_series *series,
						    size_t *nr);

/**
 * kma_leak_series_samples() - get the samples of a call site
 * @series: finished
 * @site: one of kma_leak_series_sites()
 * @ret: array of kma_leak_series_nr() samples, filled in the order of time
 * @nr: set to the number of samples
 *
 * Return: false if an account has no counts of allocations and frees: the members allocs and
 * objects of the samples are then not usable.
 */
bool kma_leak_series_samples(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_sample *ret, size_t *nr);

/**
 * kma_leak_series_nr() - get the largest number of samples that a site can have
 * @series: finished
 *
 * Return: the number of accounts of the series.
 */
size_t kma_leak_series_nr(const struct kma_leak_series *series);

/**
 * kma_leak_series_account() - get an account of the series
 * @series: finished
 * @i: index of the account, in the order of time
 *
 * Return: an account owned by the series; NULL if there are not so many.
 */
struct kma_account *kma_leak_series_account(const struct kma_leak_series *series, size_t i);

/**
 * kma_leak_series_last() - get the newest account of the series
 * @series: finished
 *
 * Return: an account owned by the series; NULL without accounts.
 */
static inline struct kma_account *kma_leak_series_last(const struct kma_leak_series *series)
{
	return kma_leak_series_account(series, kma_leak_series_nr(series) - 1);
}

#define KMA_LEAK_SERIES_COHORTS 8

/**
 * kma_leak_series_cohorts() - get the cohorts of a call site, if the accounts have ages
 * @series: finished
 * @site: one of kma_leak_series_sites()
 * @ret: array of KMA_LEAK_SERIES_COHORTS elements, filled oldest first
 * @nr: set to the number of cohorts; 0 if ages are missing, or the series is too short
 */
void kma_leak_series_cohorts(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_cohort *ret, size_t *nr);

/**
 * kma_leak_series_unloaded() - get the time since the module of a call site was unloaded
 * @series: finished
 * @site: one of kma_leak_series_sites()
 *
 * Return: s from the first account without the module to the end of the series; negative if the
 * module is loaded, the site is not in a module, or an account has no list of modules.
 */
double kma_leak_series_unloaded(const struct kma_leak_series *series, const struct kma_site *site);

#endif /* KMA_MODEL_LEAK_SERIES_H */

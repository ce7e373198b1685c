/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-series.h - the accounts of several times, as a series of samples for each call site.
 * The accounts of one boot of one machine are one series. Accounts of another machine, of
 * another kernel, or of after a reboot are never mixed with them: the longest series is used,
 * and a note says what was left out.
 *
 * Never done here: samples are not made up. A site that an account does not have holds nothing
 * at that time, and has the allocations that it had before. But an account that does not know all
 * sites (KMA_NOTE_CHOSEN) says nothing of a site that it does not have: the site has fewer samples,
 * and the rest of such an account is no site.
 *
 * Cgroups come and go, and each has call sites of its own. So a series forgets the sites that are gone
 * when they are as many as the others, or when there are too many (intern.h). A site that comes back
 * after that has fewer samples, too: those from then on.
 */
#ifndef KMA_MODEL_LEAK_SERIES_H
#define KMA_MODEL_LEAK_SERIES_H

#include "account.h"
#include "leak.h"
#include "lib/notes.h"

struct kma_leak_series;

/**
 * kma_leak_series_create() - a series without accounts
 * @ret: the series
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leak_series_create(struct kma_leak_series **ret);

/**
 * kma_leak_series_destroy() - free it and its accounts
 * @series: from kma_leak_series_create(); NULL is fine
 */
void kma_leak_series_destroy(struct kma_leak_series *series);

/**
 * kma_leak_series_add() - add an account
 * @series: not finished
 * @account: finished; it is the series' from now on, also after an error
 * @time: when it was made, in s; negative: the account says it (model/moment.h)
 * @machine: what tells machines apart, copied; "" if it is not known
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leak_series_add(struct kma_leak_series *series, struct kma_account *account,
				    double time, const char *machine);

/**
 * kma_leak_series_finish() - put the accounts in order
 * @series: all accounts are in
 * @notes: what the user has to know is added: accounts that were out of order, given twice, or
 *	left out because they are of another series
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_leak_series_finish(struct kma_leak_series *series, struct kma_notes *notes);

/**
 * kma_leak_series_last() - the newest account of the series
 * @series: finished
 *
 * Return: an account that stays with the series, NULL without accounts.
 */
struct kma_account *kma_leak_series_last(const struct kma_leak_series *series);

/**
 * kma_leak_series_sites() - the call sites of the newest account
 * @series: finished
 * @nr: how many
 *
 * Return: an array that stays with the series. Rows of one caller, kind and group are there once.
 */
const struct kma_site *const *kma_leak_series_sites(const struct kma_leak_series *series,
						    size_t *nr);

/**
 * kma_leak_series_samples() - the samples of a call site
 * @series: finished
 * @site: of kma_leak_series_sites()
 * @ret: room for kma_leak_series_nr() samples
 * @nr: how many there are
 *
 * Return: false if an account does not have allocations and objects.
 */
bool kma_leak_series_samples(const struct kma_leak_series *series, const struct kma_site *site,
			     struct kma_leak_sample *ret, size_t *nr);

/**
 * kma_leak_series_nr() - how many samples a site has at most
 * @series: finished
 *
 * Return: the number of accounts of the series.
 */
size_t kma_leak_series_nr(const struct kma_leak_series *series);

#define KMA_LEAK_SERIES_COHORTS 8

/**
 * kma_leak_series_cohorts() - the cohorts of a call site, if the accounts have ages
 * @series: finished
 * @site: of kma_leak_series_sites()
 * @ret: room for KMA_LEAK_SERIES_COHORTS
 * @nr: how many there are; 0 if ages are missing, or the series is too short
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_leak_series_cohorts(const struct kma_leak_series *series,
					const struct kma_site *site, struct kma_leak_cohort *ret,
					size_t *nr);

/**
 * kma_leak_series_unloaded() - since when is the module of a call site unloaded?
 * @series: finished
 * @site: of kma_leak_series_sites()
 *
 * Return: s before the end of the series; negative if it is loaded, or the accounts do not say.
 */
double kma_leak_series_unloaded(const struct kma_leak_series *series, const struct kma_site *site);

#endif /* KMA_MODEL_LEAK_SERIES_H */

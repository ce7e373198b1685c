/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rates.h - call sites over time: the current values of each site, their difference from the
 * baseline, and the rate of change. The caller passes the accounts of one machine one after the
 * other; each is read once and not stored.
 *
 * Rates are smoothed: an exponentially weighted mean with a time constant of
 * KMA_RATES_SMOOTH_NS, as the kernel's load average is one (kernel/sched/loadavg.c). So a rate
 * follows a change within some seconds, and one busy moment does not reorder the rows.
 *
 * If a counter of the account falls, a new account was started: the module was loaded again, or
 * cleared. Older values can then not be compared. The rates restart at 0, and the baseline is the
 * new account. kma_rates_restarts() counts these events.
 *
 * Of an account with groups (regroup.h) the rows of a site are sites of their own, one for each group.
 *
 * A site without objects is never dropped. Its values are 0, so the sum over the sites is that of
 * the account, and its change since the baseline stays visible.
 */
#ifndef KMA_MODEL_RATES_H
#define KMA_MODEL_RATES_H

#include "account.h"

#define KMA_RATES_SMOOTH_NS 5000000000ULL
#define KMA_RATES_HISTORY   64

/* Values per second. */
enum kma_rate {
	KMA_RATE_BYTES, /* of live bytes; less than 0 while they fall */
	KMA_RATE_ALLOCS,
	KMA_RATE_FREES,
	KMA_NR_RATES,
};

/* Where a site is in the source; a member is NULL where that is not known. */
struct kma_rates_place {
	const char *dir, *file, *line, *function, *module;
	const char *inlines; /* functions inlined into @function there; see refresh.c */
};

/* The numbers of a site, or the sums of several. */
struct kma_rates_numbers {
	struct kma_values now;
	struct kma_site_age age;	     /* of live objects; all 0: not known, or none */
	uint64_t base;			     /* live bytes at the baseline */
	double rates[KMA_NR_RATES];	     /* per second, smoothed */
	uint64_t history[KMA_RATES_HISTORY]; /* live bytes, the newest last */
};

struct kma_rates_site {
	const char *caller;
	const char *group; /* name of its cgroup; NULL: rows are not by group */
	const char *cache; /* of the last account that has it, or KMA_SITE_CACHES; NULL: not known */
	bool named;	   /* a row with a name, not a place in the code */
	bool placed;
	struct kma_rates_place place;
	struct kma_rates_numbers numbers;
};

struct kma_rates;

/**
 * kma_rates_create() - no account was seen yet
 * @groups: the accounts have groups, by which rows are distinguished
 * @ret: to be destroyed with kma_rates_destroy()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_rates_create(bool groups, struct kma_rates **ret);

/**
 * kma_rates_destroy() - free all
 * @rates: from kma_rates_create(); NULL is fine
 */
void kma_rates_destroy(struct kma_rates *rates);

/**
 * kma_rates_update() - look at the next account
 * @rates: from kma_rates_create()
 * @account: finished; not needed afterwards
 * @ns: when it was read, by a clock that does not jump
 *
 * The first account is the baseline.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_rates_update(struct kma_rates *rates, const struct kma_account *account,
				 uint64_t ns);

/**
 * kma_rates_rebase() - make the last account the baseline
 * @rates: from kma_rates_create()
 */
void kma_rates_rebase(struct kma_rates *rates);

/**
 * kma_rates_place() - say where a call site is in the source
 * @rates: from kma_rates_create()
 * @caller: of a site of an account that was seen; others are passed over
 * @place: copied
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_rates_place(struct kma_rates *rates, const char *caller,
				const struct kma_rates_place *place);

/**
 * kma_rates_place_as() - say where call sites are that have groups
 * @rates: created for groups
 * @from: the same call sites without groups; its texts are used, so it has to live as long
 */
void kma_rates_place_as(struct kma_rates *rates, const struct kma_rates *from);

/**
 * kma_rates_unplaced() - are there sites of which no place was said?
 * @rates: from kma_rates_create()
 *
 * Return: how many.
 */
size_t kma_rates_unplaced(const struct kma_rates *rates);

/**
 * kma_rates_sites() - get all sites that were seen
 * @rates: from kma_rates_create()
 * @nr: how many
 *
 * Return: an array that is good until the next account.
 */
const struct kma_rates_site *kma_rates_sites(const struct kma_rates *rates, size_t *nr);

/**
 * kma_rates_samples() - count the accounts since the last restart
 * @rates: from kma_rates_create()
 *
 * Return: number of accounts; with one there are no rates.
 */
unsigned long kma_rates_samples(const struct kma_rates *rates);

/**
 * kma_rates_restarts() - count the new beginnings
 * @rates: from kma_rates_create()
 *
 * Return: how often the counters of the account fell.
 */
unsigned long kma_rates_restarts(const struct kma_rates *rates);

/**
 * kma_rates_add() - add the numbers of a site to a sum
 * @to: the sum; zero to begin with
 * @from: what is added
 */
void kma_rates_add(struct kma_rates_numbers *to, const struct kma_rates_numbers *from);

#endif /* KMA_MODEL_RATES_H */

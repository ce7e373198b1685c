/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rates.h - call sites over time: the current values of each site, their difference from the
 * baseline, and the rate of change. The caller passes the accounts of one machine one after the
 * other; each is read once and not stored.
 *
 * Rates are smoothed: they are exponentially weighted means with a time constant of
 * KMA_RATES_SMOOTH_NS, like the kernel's load average (kernel/sched/loadavg.c), but with weights
 * that depend on the real interval. A rate follows a change within some seconds, and one busy
 * moment does not reorder the rows.
 *
 * If the total of the allocations or frees falls, a new account was started: the module was loaded
 * again, or cleared. Older values can then not be compared. The rates restart at 0, and the
 * baseline is the new account. kma_rates_restarts() counts these events.
 *
 * A site is identified by the text of its caller and its kind. If the accounts have groups
 * (regroup.h), each triple of caller, kind and group is a site of its own.
 *
 * Sites are never removed, and take about 1 KiB each. A site that is gone has values of 0, so the
 * sum over the sites is that of the account, and its change since the baseline stays visible. There
 * is no limit: memory grows with the number of different sites.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_RATES_H
#define KMA_MODEL_RATES_H

#include "account.h"

#define KMA_RATES_SMOOTH_NS 5000000000ULL
#define KMA_RATES_HISTORY   64 /* accounts */

/* Rates, per second. */
enum kma_rate {
	KMA_RATE_BYTES, /* change of the live bytes; negative while they fall */
	KMA_RATE_ALLOCS,
	KMA_RATE_FREES,
	KMA_NR_RATES,
};

/* The place of a site in the source. A member is NULL if it is unknown. */
struct kma_rates_place {
	const char *dir, *file, *line, *function, *module, *subsystem, *type;
	const char *row;     /* row in brackets in place of @file */
	const char *inlines; /* functions inlined into @function there; see refresh.c */
};

/* The numbers of a site, or the sums of several. */
struct kma_rates_numbers {
	struct kma_values now;	    /* of the last account */
	struct kma_site_age age;    /* of live objects; all 0: unknown, or there are none */
	uint64_t base;		    /* live bytes at the baseline */
	double rates[KMA_NR_RATES]; /* per second, smoothed */
	uint64_t history[KMA_RATES_HISTORY]; /* live bytes of the last accounts, the newest last */
};

struct kma_rates_site {
	const char *caller; /* text of the site */
	const char *group;  /* name of its cgroup; NULL: the sites have no groups */
	const char *cache;  /* its slab cache, or KMA_SITE_CACHES; NULL: unknown */
	enum kma_kind kind;
	unsigned char bytes; /* see struct kma_site */
	bool named;	     /* a named row, which is not a place in the code */
	bool placed;	     /* @place is set */
	struct kma_rates_place place;
	struct kma_rates_numbers numbers;
};

struct kma_rates;

/* @groups: the accounts have groups, by which sites are distinguished. */
void kma_rates_create(bool groups, struct kma_rates **ret);

void kma_rates_destroy(struct kma_rates *rates);

/*
 * Takes the values of the next account, and copies all texts that are needed. @ns is the time at
 * which it was read, by a clock that is never set. The first account is the baseline.
 */
void kma_rates_update(struct kma_rates *rates, const struct kma_account *account, uint64_t ns);

/* Makes the last account the baseline. */
void kma_rates_rebase(struct kma_rates *rates);

/* Sets the place, copied, of all sites with a caller that have none. @rates have no groups. */
void kma_rates_place(struct kma_rates *rates, const char *caller,
		     const struct kma_rates_place *place);

/*
 * Sets the places of sites with groups from those without, by the texts of the callers. @from lends
 * these texts, so it must live as long as @rates.
 */
void kma_rates_place_as(struct kma_rates *rates, const struct kma_rates *from);

/* Sites without a place. */
size_t kma_rates_unplaced(const struct kma_rates *rates);

/* Owned by @rates, valid until the next kma_rates_update(). The index of a site never changes. */
const struct kma_rates_site *kma_rates_sites(const struct kma_rates *rates, size_t *nr);

/* Accounts since the last restart; with fewer than two all rates are 0. */
unsigned long kma_rates_samples(const struct kma_rates *rates);

/* How often the counters of the account fell. */
unsigned long kma_rates_restarts(const struct kma_rates *rates);

/* @to is zeroed before the first site. */
void kma_rates_add(struct kma_rates_numbers *to, const struct kma_rates_numbers *from);

#endif /* KMA_MODEL_RATES_H */

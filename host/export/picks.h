/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * picks.h - which call sites have time series of their own. All other sites are one series,
 * "other", so that the series add up to the account. The same for cgroups and NUMA nodes, whose
 * name is then the site of a key.
 *
 * A site is picked when it is one of the N largest by live bytes. It stays picked while there
 * is room for 2 N, so that sites around place N do not come and go. Its counters begin when it
 * is picked: what it counted before stays in "other", whose counters therefore do not fall. A
 * site that has to make room gives its counters to "other", which then rises by them once.
 *
 * When the allocations of the account get fewer, the account has begun again (the module was
 * loaded again, or cleared), and so do the picks.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_EXPORT_PICKS_H
#define KMA_EXPORT_PICKS_H

#include "lib/err.h"
#include "lib/strbuf.h"
#include "model/metric.h"
#include "places.h"

/* All nodes have series: no machine has more. */
#define KMA_PICKS_NODES 1024

/* The identity of a series: two series differ in at least one member. An unknown text is "". */
struct kma_pick_key {
	const char *site, *module, *kind, *directory;
};

struct kma_pick {
	struct kma_pick_key key;
	struct kma_values base; /* counters when it was picked, which are in "other" */
	struct kma_values now;	/* as exported: gauges, and counters since it was picked */
	bool there;		/* in the last account */
	bool large;		/* one of the N largest in the last account */
};

struct kma_picks {
	enum kma_grouped by;   /* what is picked: groups, or KMA_GROUPED_NOT: call sites */
	size_t max;	       /* N */
	struct kma_pick *list; /* by key */
	size_t nr;
	struct kma_values other; /* counters of all sites that are not picked */
	struct kma_values total; /* counters of all sites */
	uint64_t allocs;	 /* of the last account */
	bool begun;		 /* an account was seen */
};

/**
 * kma_picks_update() - look at the next account
 * @picks: zeroed before the first account, with max set
 * @sites: the call sites of the account
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_picks_update(struct kma_picks *picks, const struct kma_export_sites *sites);

/**
 * kma_picks_update_groups() - look at the next account of groups
 * @picks: zeroed before the first account, with max and by set
 * @groups: its rows are call sites of groups (model/regroup.h); rows of other groups are passed over
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_picks_update_groups(struct kma_picks *picks, const struct kma_account *groups);

/**
 * kma_picks_save() - write what has to be known at the next account, as comment lines
 * @picks: the picks
 * @out: lines are appended, each of which begins with "#"
 */
void kma_picks_save(const struct kma_picks *picks, struct kma_strbuf *out);

/**
 * kma_picks_load() - take up the picks of an earlier process
 * @picks: no account was seen; max and by are set
 * @text: lines of kma_picks_save() among others, also of picks of something else
 *
 * Lines that cannot be read are passed over: then counters begin again, as after a restart.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_picks_load(struct kma_picks *picks, const char *text);

/**
 * kma_picks_deinit() - free them
 * @picks: empty afterwards
 */
void kma_picks_deinit(struct kma_picks *picks);

#endif /* KMA_EXPORT_PICKS_H */

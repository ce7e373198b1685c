/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * picks.h - choose the call sites that have time series of their own.
 *
 * An account has thousands of call sites, too many series for a Prometheus. So only the largest
 * have series, and all other sites are one series, "other": the series add up to the account.
 * Cgroups and NUMA nodes are picked in the same way; the name of the group is then the site of a
 * key.
 *
 * A site is picked when it is one of the N largest by live bytes. It stays picked until more than
 * 2 N are, so that sites around rank N do not come and go. Then the smallest one that is not among
 * the N largest is dropped.
 *
 * Counters of a series must not fall. So the counters of a site start at 0 when it is picked, and
 * its earlier counts stay in "other" (at the first account there are none, and nothing is
 * subtracted). When a site is dropped, its counts go to "other", which rises by them once. If the
 * number of allocations of the account falls, a new account was started (the module was loaded
 * again, or the account was cleared), and the picks start again, too.
 *
 * Locking: none. Only one thread uses a struct kma_picks.
 */
#ifndef KMA_EXPORT_PICKS_H
#define KMA_EXPORT_PICKS_H

#include "lib/err.h"
#include "lib/strbuf.h"
#include "model/metric.h"
#include "places.h"

/* N for NUMA nodes. No machine has more nodes, so each of them has series. */
#define KMA_PICKS_NODES 1024

/* The identity of a series: two series differ in at least one member. An unknown text is "". */
struct kma_pick_key {
	const char *site, *module, *kind, *directory;
};

struct kma_pick {
	struct kma_pick_key key;
	struct kma_values base; /* counters when it was picked; they are part of "other" */
	struct kma_values now;	/* exported numbers: gauges, and counters since it was picked */
	bool there;		/* the last account has it */
	bool large;		/* it is one of the N largest of the last account */
};

struct kma_picks {
	enum kma_grouped by;	 /* kind of the picked groups; KMA_GROUPED_NOT: call sites */
	size_t max;		 /* N */
	struct kma_pick *list;	 /* sorted by key */
	size_t nr;		 /* at most 2 * max after an update */
	struct kma_values other; /* numbers of the series "other" */
	struct kma_values total; /* numbers of all sites */
	uint64_t allocs;	 /* allocations of the last account */
	bool begun;		 /* an account was seen */
};

/*
 * Processes the call sites of the next account. Before the first one @picks is zero except for max.
 */
void kma_picks_update(struct kma_picks *picks, const struct kma_export_sites *sites);

/*
 * The same by group, with by set: rows of @groups are call sites of groups (model/regroup.h). Rows
 * of other kinds are ignored.
 */
void kma_picks_update_groups(struct kma_picks *picks, const struct kma_account *groups);

/*
 * Appends the state of picks as comment lines, each of which starts with "#", for another process.
 */
void kma_picks_save(const struct kma_picks *picks, struct kma_strbuf *out);

/*
 * Read the picks that an earlier process has saved, from among other lines and picks of other
 * kinds. No account was seen; max and by are set. Invalid lines are ignored: their counters start
 * again, as after a restart.
 */
void kma_picks_load(struct kma_picks *picks, const char *text);

void kma_picks_deinit(struct kma_picks *picks);

#endif /* KMA_EXPORT_PICKS_H */

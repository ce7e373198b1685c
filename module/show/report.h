/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - a snapshot of the account: sums of all sites, sorted.
 *
 * A report is taken once and does not change: its header is the sum of its
 * rows, whatever the kernel does while the report is read. report_text.h prints it.
 */
#ifndef KMA_REPORT_H
#define KMA_REPORT_H

#include <linux/types.h>

#include "account/account.h"
#include "account/live.h"
#include "account/live.h"
#include "account/peak.h"

/* One site: bytes that are live now, and events since the account began. */
struct kma_row {
	u64 total;		/* bytes allocated */
	u64 slack;		/* bytes of @total that were not requested */
	u64 req;		/* bytes of @total that were requested */
	u64 allocs;
	/* Of this site's objects by any site, and of unknown objects by this site */
	u64 frees;
	u64 unknown;		/* those of unknown objects */
	u64 failed;		/* allocations that returned NULL */
	u64 all_total;		/* bytes allocated to all objects since the account began */
	u64 all_req;		/* bytes requested for them */
	struct kma_peak peak;	/* of the live bytes */
	u64 remote_cpu;		/* frees on another CPU; 0 while the switch age is off */
	u64 remote_node;	/* the same by NUMA node */
	unsigned long call_site;
	u16 id;
	u16 kind;		/* enum kma_kind */
	u16 cache;		/* of the first object, for kma_site_cache() */
	bool sizes;		/* not all objects had the size of the first one */
	bool sampled;		/* the call site's objects whose stack was not sampled (sample.h) */
};

/* A snapshot. */
struct kma_report {
	struct kma_totals totals;
	struct kma_live_stats live;
	struct kma_peak_stats looks;
	struct kma_row sum;	/* of all rows */
	u64 sites;		/* call sites that are counted separately */
	u64 overflow;		/* events of call sites beyond max_sites */
	u64 callers_missed;	/* events whose caller was not found on the stack */
	u64 paths_full;		/* events whose stack found no free id */
	char *switches;		/* kma_switches_text(); NULL for none */
	unsigned long *paths;	/* KMA_PATH_DEPTH_MAX addresses for each id; or NULL */
	unsigned int before;	/* lower ids may have objects from before stacks were on */
	bool shown;		/* the reader may see addresses (access.h) */
	size_t nr;
	struct kma_row *rows;	/* sorted */
};

/*
 * Take a snapshot, sorted by a number from kma_report_sort_parse(). @all, for programs: also sites
 * that did nothing but fail, and a row for each path (path.h); else one for each call site.
 *
 * Context: process, may sleep; serialised with kma_live_grow(). Released with kma_report_destroy();
 * ERR_PTR: -ENOMEM.
 */
struct kma_report *kma_report_create(unsigned int sort, bool all);
void kma_report_destroy(void *report);
size_t kma_report_rows(const void *report);

/*
 * The number of a sort key: total, slack, req, allocs, frees or peak; a newline may follow. Returns
 * -EINVAL for another name.
 */
int kma_report_sort_parse(const char *name);
const char *kma_report_sort_name(unsigned int sort);

#endif /* KMA_REPORT_H */

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

/**
 * struct kma_row - one site: bytes that are live now, and events since the account
 * began
 * @total: bytes allocated
 * @slack: bytes of @total that were not requested
 * @req: bytes of @total that were requested
 * @allocs: objects allocated
 * @frees: frees of this site's objects by any site, and frees of unknown objects by this site
 * @unknown: number of these frees that were of unknown objects
 * @failed: allocations that returned NULL
 * @all_total: bytes allocated to all objects since the account began
 * @all_req: bytes requested for all objects since the account began
 * @peak: bounds of the largest number of live bytes
 * @remote_cpu: frees on another CPU than the allocation; 0 while the switch age is off
 * @remote_node: frees on another NUMA node; 0 while the switch age is off
 * @call_site: address of the site
 * @id: id of the site
 * @kind: enum kma_kind
 * @cache: cache of the first object, for kma_site_cache()
 * @sizes: not all objects had the size of the first one
 * @sampled: the row has the call site's objects whose stack was not sampled (sample.h)
 */
struct kma_row {
	u64 total;
	u64 slack;
	u64 req;
	u64 allocs;
	u64 frees;
	u64 unknown;
	u64 failed;
	u64 all_total;
	u64 all_req;
	struct kma_peak peak;
	u64 remote_cpu;
	u64 remote_node;
	unsigned long call_site;
	u16 id;
	u16 kind;
	u16 cache;
	bool sizes;
	bool sampled;
};

/**
 * struct kma_report - a snapshot
 * @totals: counts that do not belong to a single site
 * @live: the live map
 * @looks: looks at the peaks
 * @sum: sums of all rows
 * @sites: call sites that are counted separately
 * @overflow: events of call sites beyond max_sites
 * @callers_missed: events whose caller was not found on the stack
 * @paths_full: events whose stack found no free id
 * @switches: the features that are on, from kma_switches_text(); NULL for none
 * @paths: return addresses by id, KMA_PATH_DEPTH_MAX each; NULL if not all is shown, or
 *	there are no stacks
 * @before: sites with lower ids may have objects from before stacks were on
 * @shown: the reader may see addresses (access.h)
 * @nr: number of rows
 * @rows: the rows, sorted
 */
struct kma_report {
	struct kma_totals totals;
	struct kma_live_stats live;
	struct kma_peak_stats looks;
	struct kma_row sum;
	u64 sites;
	u64 overflow;
	u64 callers_missed;
	u64 paths_full;
	char *switches;
	unsigned long *paths;
	unsigned int before;
	bool shown;
	size_t nr;
	struct kma_row *rows;
};

/**
 * kma_report_create() - take a snapshot of all sites
 * @sort: a number from kma_report_sort_parse()
 * @all: for programs: also sites that did nothing but fail, and a row for each
 *	path (path.h); else one for each call site
 *
 * Context: process, may sleep; serialised with kma_live_grow().
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR: -ENOMEM.
 */
struct kma_report *kma_report_create(unsigned int sort, bool all);

/**
 * kma_report_destroy() - release a report
 * @report: the report, or NULL
 */
void kma_report_destroy(void *report);

/* Get the number of rows. Return: the number. */
size_t kma_report_rows(const void *report);

/**
 * kma_report_sort_parse() - look up a sort key
 * @name: total, slack, req, allocs, frees or peak; a newline may follow
 *
 * Return: number of the key, or -EINVAL.
 */
int kma_report_sort_parse(const char *name);

/**
 * kma_report_sort_name() - get the name of a sort key
 * @sort: number of the key
 *
 * Return: the name.
 */
const char *kma_report_sort_name(unsigned int sort);

#endif /* KMA_REPORT_H */

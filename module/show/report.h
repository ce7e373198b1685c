/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - a snapshot of the account: sums of all sites, sorted.
 *
 * A report is taken once and then stands still: its header is the sum of its
 * rows, whatever the kernel does while it is read. report_text.h prints it.
 */
#ifndef KMA_REPORT_H
#define KMA_REPORT_H

#include <linux/types.h>

#include "account/account.h"
#include "account/live.h"
#include "account/resize.h"
#include "account/peak.h"

/**
 * struct kma_row - one site: bytes that are live now, and events since the account
 * began
 * @total: bytes given
 * @slack: of these, not asked for
 * @req: of these, asked for
 * @allocs: objects allocated
 * @frees: frees of its own objects, and of unknown ones by it
 * @unknown: of these, those of unknown objects
 * @failed: allocations that returned NULL
 * @all_total: bytes given to all its objects ever
 * @all_req: of these, asked for
 * @peak: the most that was live at once
 * @remote_cpu: frees on another CPU than the allocation; 0 without age=1
 * @remote_node: frees on another node; 0 without age=1
 * @call_site: its address
 * @id: its number
 * @kind: enum kma_kind
 * @cache: of its first object, for kma_site_cache()
 * @sizes: not all objects had the size of the first one
 * @sampled: objects of a call site whose stack was not taken; others' was (sample.h)
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
 * @totals: what is counted of no single site
 * @live: the live map
 * @looks: looks at the peaks
 * @sum: of all rows
 * @sites: call sites that are counted separately
 * @overflow: events of those that were not
 * @callers_missed: events whose caller was not found on the stack
 * @paths_full: events whose stack had no number left
 * @switches: the features that are on, as kma_switches_text() says; NULL for none
 * @paths: return addresses by id, KMA_PATH_DEPTH_MAX each; NULL if not all is shown, or
 *	there are no stacks
 * @before: ids below it may have objects from before the stacks were on
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
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR.
 */
struct kma_report *kma_report_create(unsigned int sort, bool all);

/**
 * kma_report_destroy() - release a report
 * @report: the report, or NULL
 */
void kma_report_destroy(void *report);

/**
 * kma_report_rows() - length of a report
 * @report: the report
 *
 * Return: number of sites in it.
 */
size_t kma_report_rows(const void *report);

/**
 * kma_report_sort_parse() - look up a sort key
 * @name: total, slack, req, allocs, frees or peak; a newline may follow
 *
 * Return: the key's number, or -EINVAL.
 */
int kma_report_sort_parse(const char *name);

/**
 * kma_report_sort_name() - name of a sort key
 * @sort: its number
 *
 * Return: the name.
 */
const char *kma_report_sort_name(unsigned int sort);

#endif /* KMA_REPORT_H */

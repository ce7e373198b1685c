// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - a snapshot of the account: sums of all sites, sorted.
 *
 * The design is in report.h.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/live.h"
#include "account/peak.h"
#include "account/class.h"
#include "account/site.h"
#include "account/sum.h"
#include "caller/caller.h"
#include "caller/path.h"
#include "show/report.h"
#include "watch/lifetime.h"
#include "watch/switches.h"

/* The sort keys. Each column is a u64 of struct kma_row. */
static const struct kma_sort {
	const char *name;
	size_t offset;
} kma_sorts[] = {
	{ "total", offsetof(struct kma_row, total) },
	{ "slack", offsetof(struct kma_row, slack) },
	{ "req", offsetof(struct kma_row, req) },
	{ "allocs", offsetof(struct kma_row, allocs) },
	{ "frees", offsetof(struct kma_row, frees) },
	{ "peak", offsetof(struct kma_row, peak.low) },
};

int kma_report_sort_parse(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_sorts); i++)
		if (sysfs_streq(kma_sorts[i].name, name))
			return i;
	return -EINVAL;
}

const char *kma_report_sort_name(unsigned int sort)
{
	return kma_sorts[sort].name;
}

static u64 kma_row_key(const struct kma_row *row, const struct kma_sort *by)
{
	return *(const u64 *)((const char *)row + by->offset);
}

/* Sort largest first, then by bytes, address and id, so that the order never varies. */
static int kma_row_cmp(const void *va, const void *vb, const void *by)
{
	const struct kma_row *a = va, *b = vb;
	u64 ka = kma_row_key(a, by), kb = kma_row_key(b, by);

	if (ka != kb)
		return ka < kb ? 1 : -1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	if (a->call_site != b->call_site)
		return a->call_site > b->call_site ? 1 : -1;
	return a->id > b->id ? 1 : -1;
}

/*
 * Fill a row. The counters of an object whose sizes are in the map (live.h) are written one after
 * the other. If the snapshot reads them in between, the site seems to have fewer bytes allocated
 * than requested. The row then has no slack, and the next snapshot corrects it.
 */
static void kma_row_fill(struct kma_row *row, u32 id, const struct kma_site_count *c, bool merged)
{
	const struct kma_site *site = &kma_sites.sites[id];
	const struct kma_age_count age = kma_age_sum(id);

	row->id = id;
	row->call_site = site->call_site;
	row->kind = site->kind;
	row->cache = kma_site_learnt(id) ? site->cache : 0;
	/* events may write both at this time; the next snapshot then has the new value */
	row->sizes = c->bytes != c->allocs * READ_ONCE(site->bytes);
	row->sampled = READ_ONCE(site->sampled);
	row->peak = merged ? kma_peak_merged(id) : kma_peak_of(id);
	row->req = c->req - c->freed_req;
	row->total = max(c->bytes - c->freed_bytes, row->req);
	row->slack = row->total - row->req;
	row->allocs = c->allocs;
	row->frees = c->frees + c->unknown;
	row->unknown = c->unknown;
	row->failed = c->failed;
	row->all_req = c->req;
	row->all_total = max(c->bytes, c->req);
	row->remote_cpu = age.remote_cpu;
	row->remote_node = age.remote_node;
}

static void kma_row_add(struct kma_row *sum, const struct kma_row *row)
{
	sum->total += row->total;
	sum->slack += row->slack;
	sum->req += row->req;
	sum->allocs += row->allocs;
	sum->frees += row->frees;
	sum->unknown += row->unknown;
	sum->failed += row->failed;
	sum->all_total += row->all_total;
	sum->all_req += row->all_req;
}

/* Failed allocations alone make a row only if @all is true. */
static bool kma_count_empty(const struct kma_site_count *c, bool all)
{
	return !c->allocs && !c->frees && !c->unknown &&
	       !(all && c->failed);
}

/* A site without a peak, for which there was no memory, never held more than all its bytes. */
static void kma_report_bound(struct kma_report *report, struct kma_row *row)
{
	if (row->peak.high)
		return;
	row->peak.high = row->all_total;
	report->sum.peak.high += row->all_total;
}

/* Set the numbers that do not belong to a single site. */
static void kma_report_totals(struct kma_report *report, const struct kma_site_count *other)
{
	report->totals = kma_account_totals();
	report->live = kma_live_stats();
	report->overflow = other->allocs + other->unknown + other->failed;
	report->callers_missed = kma_caller_missed();
	report->paths_full = kma_path_full();
}

/* Copy the paths by id, because after a clear other paths have these ids. */
static bool kma_report_paths(struct kma_report *report, unsigned int nr)
{
	if (!kma_path_reserved())
		return true;
	/* while stacks are off, allocations belong to the row [before] */
	report->before = kma_path_depth() ? kma_path_before() : UINT_MAX;
	report->paths = kvmalloc_array(nr, KMA_PATH_DEPTH_MAX *
				       sizeof(*report->paths), GFP_KERNEL_ACCOUNT);
	if (report->paths)
		kma_path_copy(nr, report->paths);
	return report->paths;
}

struct kma_report *kma_report_create(unsigned int sort, bool all)
{
	unsigned int nr = kma_site_nr(), id;
	struct kma_site_count *sums = kvmalloc_array(nr, sizeof(*sums), GFP_KERNEL_ACCOUNT);
	struct kma_report *report = kzalloc(sizeof(*report), GFP_KERNEL_ACCOUNT);

	if (!sums || !report)
		goto err_free;
	report->switches = kma_switches_text();
	/* the account was never on, so there are no tables */
	if (!nr)
		goto out;
	report->rows = kvmalloc_array(nr, sizeof(*report->rows), GFP_KERNEL_ACCOUNT);
	if (!report->rows || (all && !kma_report_paths(report, nr)))
		goto err_free;
	kma_site_fold(nr, sums);
	/* after the sums, so that peak.high includes all bytes that are live in them */
	kma_peak_look();
	report->sum.peak = kma_peak_total();
	report->looks = kma_peak_stats();
	if (!all)
		kma_path_merge(nr, sums);
	kma_report_totals(report, &sums[KMA_SITE_OTHER]);
	report->sites = nr - (KMA_SITE_OTHER + 1);
	for (id = 0; id < nr; id++) {
		struct kma_row *row = &report->rows[report->nr];

		cond_resched();
		if (kma_count_empty(&sums[id], all))
			continue;
		kma_row_fill(row, id, &sums[id], !all);
		kma_report_bound(report, row);
		kma_row_add(&report->sum, row);
		report->nr++;
	}
	sort_r(report->rows, report->nr, sizeof(*report->rows),
	       kma_row_cmp, NULL, &kma_sorts[sort]);
out:
	kvfree(sums);
	return report;

err_free:
	kvfree(sums);
	kma_report_destroy(report);
	return ERR_PTR(-ENOMEM);
}

void kma_report_destroy(void *data)
{
	struct kma_report *report = data;

	if (!report)
		return;
	kvfree(report->paths);
	kfree(report->switches);
	kvfree(report->rows);
	kfree(report);
}

size_t kma_report_rows(const void *data)
{
	const struct kma_report *report = data;

	return report->nr;
}

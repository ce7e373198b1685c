// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency_text.c - a report of the waits for memory: sums by kind, rows, and their text.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "caller/site_name.h"
#include "guard/serial.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "watch/latency.h"

#define KMA_LATENCY_HIST_WIDTH	24	/* usual number of characters */

static const char *const kma_wait_names[KMA_NR_WAITS] = {
	[KMA_WAIT_RECLAIM] = "reclaim",
	[KMA_WAIT_COMPACTION] = "compaction",
	[KMA_WAIT_KCOMPACTD] = "kcompactd",
	[KMA_WAIT_MEMCG] = "memcg",
};

/**
 * struct kma_latency_report - a report of the waits for memory
 * @threshold_us: the threshold
 * @kinds: bits of the kinds that have rows
 * @open: number of waits in progress
 * @lost: events of waits that could not be charged
 * @sums: sums of the rows, by kind
 * @over: number of the waits in @sums that were not below the threshold
 * @nr: number of rows
 * @rows: the rows, longest total first
 */
struct kma_latency_report {
	unsigned int threshold_us;
	unsigned int kinds;
	unsigned int open;
	struct kma_latency_lost lost;
	struct kma_wait_row sums[KMA_NR_WAITS];
	u64 over[KMA_NR_WAITS];
	unsigned int nr;
	struct kma_wait_row rows[];
};

static void kma_latency_add(struct kma_latency_report *r, const struct kma_wait_row *row, bool over)
{
	struct kma_wait_row *sum = &r->sums[row->kind];

	if (over)
		r->over[row->kind] += row->calls;
	sum->calls += row->calls;
	sum->total += row->total;
	if (row->max > sum->max)
		sum->max = row->max;
}

/* Sort by total time, longest first. */
static int kma_wait_row_cmp(const void *a, const void *b)
{
	const struct kma_wait_row *x = a, *y = b;

	return x->total < y->total ? 1 : x->total > y->total ? -1 : 0;
}

/* Each row is copied at one instant, and the sums are those of the rows. NULL without memory. */
static struct kma_latency_report *kma_latency_copy_all(void)
{
	unsigned int nr = kma_latency_nr(), i;
	struct kma_latency_report *r;

	if (!nr)
		return NULL;
	r = kvzalloc(struct_size(r, rows, nr), GFP_KERNEL_ACCOUNT);
	if (!r)
		return NULL;
	r->threshold_us = READ_ONCE(kma_latency_threshold_us);
	r->kinds = kma_latency_kinds();
	r->open = kma_latency_copy_lost(&r->lost);
	for (i = 0; i < nr; i++)
		if (kma_latency_copy(i, &r->rows[r->nr]))
			kma_latency_add(r, &r->rows[r->nr++], i >= KMA_NR_WAITS);
	sort(r->rows, r->nr, sizeof(r->rows[0]), kma_wait_row_cmp, NULL);
	return r;
}

static void *kma_latency_report_create(void)
{
	void *report;

	kma_serial_lock();
	report = kma_latency_copy_all();
	kma_serial_unlock();
	return report ?: ERR_PTR(-ENOMEM);
}

static void kma_latency_report_destroy(void *report)
{
	struct kma_latency_report *r = report;
	unsigned int i;

	for (i = 0; r && i < r->nr; i++)
		kfree(r->rows[i].name);
	kvfree(r);
}

static size_t kma_latency_report_rows(const void *report)
{
	const struct kma_latency_report *r = report;

	return r->nr;
}

static void kma_latency_show_sum(struct seq_file *m, const struct kma_latency_report *r,
				 enum kma_wait kind)
{
	const struct kma_wait_row *sum = &r->sums[kind];
	const char *name = kma_wait_names[kind];

	seq_printf(m, "%s calls: %llu\n", name, sum->calls);
	seq_printf(m, "%s calls over the threshold: %llu\n", name,
		   r->over[kind]);
	seq_printf(m, "%s ns: %llu\n", name, sum->total);
	seq_printf(m, "%s longest ns: %llu\n", name, sum->max);
}

static void kma_latency_show_header(struct seq_file *m, const void *report)
{
	const struct kma_latency_report *r = report;
	unsigned int kind;

	seq_puts(m, "kmem_account latency 1\n");
	seq_printf(m, "threshold us: %u\n", r->threshold_us);
	for (kind = 0; kind < KMA_NR_WAITS; kind++)
		if (r->kinds & 1u << kind)
			kma_latency_show_sum(m, r, kind);
	seq_printf(m, "waits under way: %u\n", r->open);
	seq_printf(m, "begins without room: %llu\n", r->lost.no_room);
	seq_printf(m, "begins without an end: %llu\n", r->lost.no_end);
	seq_printf(m, "ends without a begin: %llu\n", r->lost.no_begin);
	seq_printf(m, "\n%-10s %9s %15s %13s %5s %-23s %s\n", "kind", "calls",
		   "total_ns", "max_ns", "order", "log2_ns:calls", "caller");
}

/* Print the classes that have waits: "21:10,22:2". */
static void kma_latency_show_hist(struct seq_file *m, const struct kma_wait_row *row)
{
	const char *before = "";
	unsigned int i;

	seq_setwidth(m, KMA_LATENCY_HIST_WIDTH - 1);
	for (i = 0; i < KMA_LATENCY_CLASSES; i++) {
		if (!row->hist[i])
			continue;
		seq_printf(m, "%s%u:%llu", before, i, row->hist[i]);
		before = ",";
	}
	seq_pad(m, ' ');
}

static void kma_latency_show_row(struct seq_file *m, const void *report, size_t nr)
{
	const struct kma_latency_report *r = report;
	const struct kma_wait_row *row = &r->rows[nr];

	seq_printf(m, "%-10s %9llu %15llu %13llu ", kma_wait_names[row->kind],
		   row->calls, row->total, row->max);
	if (row->order == KMA_WAIT_NO_ORDER)
		seq_puts(m, "    - ");
	else
		seq_printf(m, "%5d ", row->order);
	kma_latency_show_hist(m, row);
	seq_printf(m, "%s\n", row->name ?: KMA_SITE_NO_NAME);
}

const struct kma_rows kma_latency_rows = {
	kma_latency_report_create, false, kma_latency_report_destroy, kma_latency_report_rows,
	kma_latency_show_header, kma_latency_show_row
};

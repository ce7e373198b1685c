// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_text.c - the text of a report, for people and programs.
 */
#include <linux/build_bug.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/site.h"
#include "caller/path.h"
#include "caller/place.h"
#include "caller/site_name.h"
#include "caller/text.h"
#include "guard/hide.h"
#include "log/relay.h"
#include "show/report.h"
#include "show/oom_report.h"
#include "show/report_text.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/group.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

static const char *const kma_kinds[] = {
	[KMA_KIND_FREE]		= "free",
	[KMA_KIND_KMALLOC]	= "kmalloc",
	[KMA_KIND_CACHE]	= "cache",
	[KMA_KIND_PAGE]		= "page",
	[KMA_KIND_PERCPU]	= "percpu",
};

static_assert(ARRAY_SIZE(kma_kinds) == KMA_NR_KINDS);

/* The value ends in column 33. A longer value is printed after one space. */
static void kma_show_line(struct seq_file *m, const char *key, u64 value)
{
	seq_printf(m, "%s: %*llu\n", key, 31 - (int)strlen(key), value);
}

void kma_report_show_header(struct seq_file *m, const void *data)
{
	const struct kma_report *report = data;
	const struct kma_totals *t = &report->totals;
	u64 dropped = 0;
	int i;

	for (i = 0; i < KMA_NR_DROPS; i++)
		dropped += t->drops[i];
	kma_show_line(m, "total bytes allocated", report->sum.total);
	kma_show_line(m, "total bytes requested", report->sum.req);
	kma_show_line(m, "slack bytes allocated", report->sum.slack);
	kma_show_line(m, "number of allocs", report->sum.allocs);
	kma_show_line(m, "number of frees", report->sum.frees);
	kma_show_line(m, "number of callers", report->nr);
	kma_show_line(m, "frees of unknown objects", report->sum.unknown);
	kma_show_line(m, "implied frees", t->implied);
	kma_show_line(m, "events not recorded", dropped);
	if (report->switches)
		seq_printf(m, "# switches: %s\n", report->switches);
	seq_puts(m, "\n   total    slack      req alloc/free  caller\n");
}

void kma_show_name(struct seq_file *m, unsigned int id, unsigned long call_site, bool shown)
{
	char *name = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);

	if (name) {
		kma_site_name(id, call_site, name);
		kma_hide_addresses(name, shown);
	}
	seq_puts(m, name ?: KMA_SITE_NO_NAME);
	kfree(name);
}

void kma_report_show_row(struct seq_file *m, const void *data, size_t row)
{
	const struct kma_report *report = data;
	const struct kma_row *r = &report->rows[row];

	seq_printf(m, "%8llu %8llu %8llu %5llu/%-5llu ", r->total,
		   r->slack, r->req, r->allocs, r->frees);
	kma_show_name(m, r->id, r->call_site, report->shown);
	seq_puts(m, "\n");
}

void kma_report_show_sites(struct seq_file *m, const void *report)
{
	seq_puts(m, "kmem_account sites 1\n"
		 "# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\t"
		 "failed\tall_total\tall_req\tfile\toffset\tbuild_id\tcaller\t"
		 "kind\tcache\tpeak\tpeak_max\tstack\t"
		 "remote_cpu\tremote_node\n");
}

/* Print the columns after the caller, except for the stack. */
static void kma_show_more(struct seq_file *m, const struct kma_row *r)
{
	const char *cache = kma_site_cache(r->cache);

	if (r->id == KMA_SITE_OTHER)
		seq_puts(m, "\t-\t-");
	else
		seq_printf(m, "\t%s\t%s%s", kma_kinds[r->kind], cache,
			   r->cache && r->sizes ? "+" : "");
	seq_printf(m, "\t%llu\t%llu", r->peak.low, r->peak.high);
}

/* Print the stack. Objects from before stacks were on are in the row [before]. */
static void kma_show_stack(struct seq_file *m, const struct kma_report *report,
			   const struct kma_row *r)
{
	const unsigned long *addr;
	char *text;

	if (!report->paths) {
		seq_puts(m, "\t-");
		return;
	}
	addr = report->paths + r->id * KMA_PATH_DEPTH_MAX;
	if (!*addr && r->allocs && r->id != KMA_SITE_OTHER && r->id < report->before) {
		seq_puts(m, "\t[before]");
		return;
	}
	if (r->sampled) {
		seq_puts(m, "\t[unsampled]");
		return;
	}
	text = kvmalloc(KMA_PATH_LEN, GFP_KERNEL);
	if (text) {
		kma_path_text(r->id, addr, text);
		kma_hide_addresses(text, report->shown);
	}
	seq_printf(m, "\t%s", text ?: "-");
	kvfree(text);
}

void kma_report_show_site(struct seq_file *m, const void *data, size_t row)
{
	const struct kma_report *report = data;
	const struct kma_row *r = &report->rows[row];
	char *place = kmalloc(KMA_PLACE_LEN, GFP_KERNEL);

	if (place) {
		kma_site_place(r->id, r->call_site, place);
		kma_hide_addresses(place, report->shown);
	}
	seq_printf(m, "%u\t0x%lx\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%s",
		   r->id, kma_hide_address(r->call_site, report->shown),
		   r->total, r->slack, r->req, r->allocs,
		   r->frees - r->unknown, r->unknown, r->failed, r->all_total,
		   r->all_req, place ?: kma_site_no_place);
	kma_show_more(m, r);
	kma_show_stack(m, report, r);
	kfree(place);
	if (kma_births_on)
		seq_printf(m, "\t%llu\t%llu\n", r->remote_cpu, r->remote_node);
	else
		seq_puts(m, "\t-\t-\n");
}

static void kma_show_stat(struct seq_file *m, const char *key, u64 value)
{
	seq_printf(m, "%s: %llu\n", key, value);
}

/*
 * Print many values: @names has the names in the order of the values, each with its zero byte. A
 * call for each value would take half a kilobyte more. A test checks that names and values match.
 */
static void kma_show_stats(struct seq_file *m, const char *names, const u64 *values, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		kma_show_stat(m, names, values[i]);
		names += strlen(names) + 1;
	}
}

static const char kma_event_stats[] =
	"events booked\0"
	"allocations\0"
	"frees\0"
	"implied frees\0"
	"unknown frees\0"
	"unknown free bytes\0"
	"unknown free large bytes\0"
	"unknown free untold\0"
	"failed allocations\0"
	"not recorded nmi\0"
	"not recorded map full\0"
	"not recorded no class\0"
	"not recorded size\0"
	"not recorded missed\0"
	"not recorded address\0"
	"not recorded early\0"
	"events beyond max sites\0"
	"callers not found\0"
	"stacks beyond max sites\0";

/* Print the numbers of events. An implied free is not an event. */
static void kma_show_events(struct seq_file *m, const struct kma_report *report)
{
	const struct kma_totals *t = &report->totals;
	const struct kma_row *sum = &report->sum;
	const u64 values[] = {
		sum->allocs + sum->frees + sum->failed - t->implied,
		sum->allocs,
		sum->frees - sum->unknown,
		t->implied,
		sum->unknown,
		t->unknown_slab,
		t->unknown_large,
		t->unknown_no_size,
		sum->failed,
		t->drops[KMA_DROP_NMI],
		t->drops[KMA_DROP_FULL],
		t->drops[KMA_DROP_CLASS],
		t->drops[KMA_DROP_SIZE],
		t->drops[KMA_DROP_MISSED],
		t->drops[KMA_DROP_KEY],
		t->drops[KMA_DROP_EARLY],
		report->overflow,
		report->callers_missed,
		report->paths_full,
	};

	kma_show_stats(m, kma_event_stats, values, ARRAY_SIZE(values));
}

/* Print the live bytes by allocator, and the bytes of pages that belong to no site. */
static void kma_show_flows(struct seq_file *m, const struct kma_totals *t)
{
	static const char *const names[KMA_NR_FLOWS] = {
		[KMA_FLOW_PAGE] = "page bytes",
		[KMA_FLOW_PERCPU] = "percpu bytes",
		[KMA_FLOW_SLAB_PAGE] = "slab page bytes",
		[KMA_FLOW_PERCPU_PAGE] = "percpu page bytes",
	};
	int i;

	for (i = 0; i < KMA_NR_FLOWS; i++)
		kma_show_stat(m, names[i], t->in[i] - t->out[i]);
	kma_show_stat(m, "unknown page bytes freed", t->unknown_pages);
}

static const char kma_table_stats[] =
	"sites used\0"
	"sites max\0"
	"sites bytes\0"
	"classes used\0"
	"classes bytes\0"
	"sizes lost\0"
	"bytes live\0"
	"peak bytes\0"
	"peak bytes max\0"
	"peak looks\0"
	"peak looks ns\0"
	"peak looks bytes\0"
	"objects live\0"
	"objects max\0"
	"map slots\0"
	"map load percent\0"
	"map arrays\0"
	"map spare bytes\0"
	"map growth runs\0"
	"map growth refused\0"
	"map pages given back\0"
	"map bytes\0"
	"ages bytes\0"
	"errors bytes\0"
	"latency bytes\0"
	"groups bytes\0"
	"oom bytes\0"
	"module bytes\0"
	"detail bytes\0"
	"log bytes\0"
	"log calls missed\0"
	"memory max bytes\0"
	"memory budget bytes\0"
	"memory refused\0"
	"own bytes\0";

void kma_report_show_stats(struct seq_file *m, const void *part)
{
	const struct kma_report *report = part;
	const struct kma_live_stats *live = &report->live;
	u64 objects = report->sum.allocs - (report->sum.frees - report->sum.unknown);
	size_t own = kma_text_own_bytes();
	const struct kma_budget_stats budget = kma_budget_stats();
	const u64 values[] = {
		report->sites,
		max(kma_sites.max, 1u) - (KMA_SITE_OTHER + 1),
		kma_site_memory(),
		kma_class_nr() - KMA_CLASS_FIRST,
		kma_class_memory(),
		0,	/* no part of a size is lost any more */
		report->sum.total,
		report->sum.peak.low,
		report->sum.peak.high,
		report->looks.looks,
		report->looks.ns,
		report->looks.bytes,
		objects,
		live->max_bytes / KMA_OBJECT_BYTES,
		live->slots,
		div64_ul(objects * 100, max(live->slots, 1ul)),
		live->arrays,
		live->spare,
		live->grow_runs,
		live->grow_refused,
		live->given_back,
		live->bytes,
		kma_age_memory(),
		kma_errors_memory(),
		kma_latency_memory(),
		kma_group_memory(),
		kma_oom_memory(),
		own,
		kma_dispatch_memory(),
		kma_relay_memory(),
		kma_relay_missed_calls(),
		budget.max,
		budget.used,
		budget.refused,
		kma_site_memory() + kma_class_memory() + live->bytes +
		report->looks.bytes + own + kma_dispatch_memory() +
		kma_age_memory() + kma_errors_memory() +
		kma_latency_memory() + kma_group_memory() + kma_oom_memory() +
		kma_relay_memory(),
	};

	kma_show_stat(m, "version", 1);
	kma_show_events(m, report);
	kma_show_flows(m, &report->totals);
	kma_show_stats(m, kma_table_stats, values, ARRAY_SIZE(values));
}

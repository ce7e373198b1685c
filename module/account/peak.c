// SPDX-License-Identifier: GPL-2.0-only
/*
 * peak.c - bounds of the largest number of live bytes that each site has had.
 *
 * The design is in peak.h, which explains a look and the sums F, A and G.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/prefetch.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/numa.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/peak.h"
#include "account/site.h"
#include "account/sum.h"
#include "compat/stub.h"

/* The peak of a site, or of a call site and all of its paths. */
struct kma_peak_site {
	struct kma_peak peak;
	u64 live;	/* A - F of the last look; during a look, A less the previous F */
	u64 freed;	/* during a look: bytes freed since the previous F, then since F; else 0 */
};

static struct kma_peak_site *kma_peaks;
static struct kma_peak_site *kma_peaks_merged;	/* by id of the call site; NULL without paths */
static struct kma_peak kma_peak_all;
static struct kma_peak_stats kma_peak_costs;

static unsigned int kma_peak_room;	/* sites that fit in each table */

#define KMA_PEAK_ROOM	512u	/* at first: 16 KiB */
#define KMA_PEAK_AHEAD	64u	/* space for sites that are added during a look */
#define KMA_PEAK_BATCH	32u	/* counters that are prefetched together */

static size_t kma_peak_bytes(unsigned int room)
{
	return array_size(room, sizeof(*kma_peaks));
}

static __cold struct kma_peak_site *kma_peak_create(unsigned int room)
{
	return kma_budget_zalloc(kma_peak_bytes(room), NUMA_NO_NODE);
}

static __cold void kma_peak_free(struct kma_peak_site *table, unsigned int room)
{
	kma_budget_free(table, kma_peak_bytes(room));
}

__cold int kma_peak_init(bool paths)
{
	KMA_STUB(kma_peak_init, paths);
	kma_peak_room = min(KMA_PEAK_ROOM, kma_sites.max);
	kma_peaks = kma_peak_create(kma_peak_room);
	if (paths)
		kma_peaks_merged = kma_peak_create(kma_peak_room);
	if (!kma_peaks || (paths && !kma_peaks_merged)) {
		kma_peak_deinit();
		return -ENOMEM;
	}
	kma_peak_reset();
	return 0;
}

__cold int kma_peak_paths(void)
{
	unsigned int id;

	if (kma_peaks_merged)
		return 0;
	kma_peaks_merged = kma_peak_create(kma_peak_room);
	if (!kma_peaks_merged)
		return -ENOMEM;
	for (id = 0; id < kma_peak_room; id++)
		kma_peaks_merged[id].peak = kma_peaks[id].peak;
	return 0;
}

__cold void kma_peak_deinit(void)
{
	kma_peak_free(kma_peaks_merged, kma_peak_room);
	kma_peaks_merged = NULL;
	kma_peak_free(kma_peaks, kma_peak_room);
	kma_peaks = NULL;
}

__cold void kma_peak_reset(void)
{
	if (!kma_peaks)
		return;
	memset(kma_peaks, 0, kma_peak_bytes(kma_peak_room));
	if (kma_peaks_merged)
		memset(kma_peaks_merged, 0, kma_peak_bytes(kma_peak_room));
	memset(&kma_peak_all, 0, sizeof(kma_peak_all));
	kma_peak_costs = (struct kma_peak_stats){};
}

/* Grow the tables to @nr sites. If memory is refused, the tables stay as they are. */
static __cold bool kma_peak_grow(unsigned int nr)
{
	unsigned int old = kma_peak_room, room = old;
	struct kma_peak_site *peaks, *merged = NULL;

	while (room < nr)
		room *= 2;
	room = min(room, kma_sites.max);
	if (room <= old)
		return false;
	peaks = kma_peak_create(room);
	if (kma_peaks_merged)
		merged = kma_peak_create(room);
	if (!peaks || (kma_peaks_merged && !merged)) {
		kma_peak_free(peaks, room);
		kma_peak_free(merged, room);
		return false;
	}
	memcpy(peaks, kma_peaks, kma_peak_bytes(old));
	kma_peak_free(kma_peaks, old);
	kma_peaks = peaks;
	if (merged) {
		memcpy(merged, kma_peaks_merged, kma_peak_bytes(old));
		kma_peak_free(kma_peaks_merged, old);
		kma_peaks_merged = merged;
	}
	kma_peak_room = room;
	return true;
}

/* The three scans of a look (peak.h). */
enum kma_peak_scan { KMA_PEAK_F, KMA_PEAK_A, KMA_PEAK_G };

/*
 * Add to the site of a class what one CPU has counted since it was read last. Return false if the
 * tables have no space for the site yet.
 */
static bool kma_peak_read(struct kma_class_count *c, unsigned int class, enum kma_peak_scan scan)
{
	/* at once, because an event may give the number to a class */
	const struct kma_class of = kma_class_get(class);
	u64 weight = kma_class_weight(&of), n;
	struct kma_peak_site *s;
	unsigned int id;

	if (!weight)
		return true;
	smp_rmb(); /* the class before its counts; pairs with kma_class_write() */
	id = kma_class_site_of(of);
	if (id >= KMA_OWNER_NO_SITE)
		return true;
	if (id >= kma_peak_room)
		return false;
	s = &kma_peaks[id];
	if (scan != KMA_PEAK_A) {
		n = kma_class_word_of(c, KMA_CLASS_WORD(out));
		s->freed += (n - c->seen_out) * weight;
		if (scan == KMA_PEAK_F)
			c->seen_out = n;
	}
	if (scan != KMA_PEAK_G) {
		n = kma_class_word_of(c, KMA_CLASS_WORD(in));
		s->live += (n - c->seen_in) * weight;
		c->seen_in = n;
	}
	return true;
}

/*
 * Read the classes that share one mark. The number of classes is read after the mark, so it
 * includes each class that was marked.
 */
static void kma_peak_read_marked(struct kma_class_count *counts, unsigned int class,
				 enum kma_peak_scan scan)
{
	unsigned int nr = kma_class_nr(), sized = kma_class_sized_nr();

	for (; class < nr; class += kma_class_mark_bytes)
		if ((class < sized || class >= KMA_CLASS_FIRST) &&
		    !kma_peak_read(&counts[class], class, scan))
			WRITE_ONCE(kma_class_marks(counts)[class], 1);
}

/* Marks whose counters are being prefetched. */
struct kma_peak_batch {
	unsigned int nr;
	u16 class[KMA_PEAK_BATCH];
};

static void kma_peak_read_batch(struct kma_class_count *counts, struct kma_peak_batch *batch,
				enum kma_peak_scan scan)
{
	unsigned int i;

	for (i = 0; i < batch->nr; i++)
		kma_peak_read_marked(counts, batch->class[i], scan);
	batch->nr = 0;
}

/*
 * Only the first scan clears the marks: marks that are set later are for the next look as well.
 * Each counter was changed by another CPU and is in a different page, so a read takes long.
 * Several counters are prefetched before the first one is read.
 */
static void kma_peak_scan_cpu(struct kma_class_count *counts, enum kma_peak_scan scan)
{
	unsigned long *mark = (unsigned long *)kma_class_marks(counts), word;
	unsigned int end = min(kma_class_nr(), kma_class_mark_bytes), class, i;
	struct kma_peak_batch batch;

	batch.nr = 0;

	for (class = 0; class < end; class += sizeof(word), mark++) {
		/* Pairs, like the xchg() below, with smp_store_release() in kma_class_add_to(). */
		word = smp_load_acquire(mark);
		if (likely(!word))
			continue;
		if (scan == KMA_PEAK_F)
			word = xchg(mark, 0);
		for (i = 0; i < sizeof(word); i++)
			if (((u8 *)&word)[i]) {
				prefetch(&counts[class + i]);
				batch.class[batch.nr++] = class + i;
				if (batch.nr == KMA_PEAK_BATCH)
					kma_peak_read_batch(counts, &batch, scan);
			}
	}
	kma_peak_read_batch(counts, &batch, scan);
}

static __cold void kma_peak_scan(enum kma_peak_scan scan)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct kma_class_count *counts = per_cpu(kma_class_counts, cpu);

		if (!counts)
			continue;
		kma_peak_scan_cpu(counts, scan);
		cond_resched();
	}
	smp_rmb(); /* orders this scan before the next; pairs with the exchange, as in sum.c */
}

/* Differences may be negative, because G is read after A. */
static void kma_peak_raise(struct kma_peak *peak, u64 bytes, bool high)
{
	u64 *bound = high ? &peak->high : &peak->low;

	if ((s64)bytes > (s64)*bound)
		*bound = bytes;
}

/* Raise the bounds: after scan A, the high one by A less the previous F; after G, the low one. */
static __cold void kma_peak_raise_all(bool high)
{
	unsigned int nr = min(kma_site_nr(), kma_peak_room), id;
	struct kma_peak_site *s;
	u64 all = 0;

	for (id = 0; id < nr; id++) {
		u64 live;

		s = &kma_peaks[id];
		live = high ? s->live : s->live - s->freed;
		kma_peak_raise(&s->peak, live, high);
		all += live;
		if (kma_peaks_merged)
			kma_peaks_merged[kma_sites.sites[id].base].live += live;
		if (high)
			s->live -= s->freed;
		s->freed = 0;
	}
	kma_peak_raise(&kma_peak_all, all, high);
	for (id = 0; id < nr && kma_peaks_merged; id++) {
		s = &kma_peaks_merged[id];
		kma_peak_raise(&s->peak, s->live, high);
		s->live = 0;
	}
}

__cold u64 kma_peak_look(void)
{
	u64 begin = ktime_get_ns(), ns;

	if (!kma_peaks)
		return 0;
	kma_peak_grow(kma_site_nr() + KMA_PEAK_AHEAD);
	kma_peak_scan(KMA_PEAK_F);
	/* again if the tables had no space for a site: the bound of all sites includes it */
	do
		kma_peak_scan(KMA_PEAK_A);
	while (kma_site_nr() > kma_peak_room && kma_peak_grow(kma_site_nr() + KMA_PEAK_AHEAD));
	kma_peak_raise_all(true);
	kma_peak_scan(KMA_PEAK_G);
	kma_peak_raise_all(false);
	ns = ktime_get_ns() - begin;
	kma_peak_costs.looks++;
	kma_peak_costs.ns += ns;
	return ns;
}

__cold struct kma_peak kma_peak_of(unsigned int id)
{
	return kma_peaks && id < kma_peak_room ? kma_peaks[id].peak : (struct kma_peak){};
}

__cold struct kma_peak kma_peak_merged(unsigned int id)
{
	return kma_peaks_merged && id < kma_peak_room ? kma_peaks_merged[id].peak :
						      kma_peak_of(id);
}

__cold struct kma_peak kma_peak_total(void)
{
	return kma_peak_all;
}

__cold struct kma_peak_stats kma_peak_stats(void)
{
	struct kma_peak_stats stats = kma_peak_costs;

	stats.bytes = kma_peaks ? kma_peak_bytes(kma_peak_room) << !!kma_peaks_merged : 0;
	return stats;
}

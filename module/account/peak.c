// SPDX-License-Identifier: GPL-2.0-only
/*
 * peak.c - the most that each site held, between two numbers.
 *
 * What a look does and why is in peak.h.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/numa.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/peak.h"
#include "account/site.h"
#include "account/sum.h"
#include "compat/stub.h"

/*
 * A site, a call site with its paths, or all of them; the first two last from one
 * look to the next.
 */
struct kma_peak_site {
	struct kma_peak peak;
	u64 freed;		/* F of the last look */
	u64 freed_now;		/* F of this look; 0 between two */
	u64 live;		/* A, and then A - G; 0 between two */
};

static struct kma_peak_site *kma_peaks;
static struct kma_peak_site *kma_peaks_merged;	/* by id of the call site, or NULL */
static struct kma_peak_site kma_peak_all;
static struct kma_peak_stats kma_peak_costs;

static unsigned int kma_peak_room;	/* sites that fit in each table */

#define KMA_PEAK_ROOM	512u	/* at first: 20 KiB */
#define KMA_PEAK_AHEAD	64u	/* sites that may come while a look goes on */

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
	if (kma_peaks_merged)
		return 0;
	kma_peaks_merged = kma_peak_create(kma_peak_room);
	if (!kma_peaks_merged)
		return -ENOMEM;
	memcpy(kma_peaks_merged, kma_peaks, kma_peak_bytes(kma_peak_room));
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

/* Room for so many sites; without memory the tables stay as they are. */
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

/* Classes that there are: the numbers below @nr, and of those without a size, below @sized. */
struct kma_peak_end {
	unsigned int sized;
	unsigned int nr;
};

static struct kma_peak_end kma_peak_end(void)
{
	return (struct kma_peak_end){ .sized = kma_class_sized_nr(), .nr = kma_class_nr() };
}

/* What a walk adds: what was allocated, or freed; to what of a site; 1 or -1 times. */
struct kma_peak_add {
	bool in;
	size_t to;
	int sign;
};

/* What one CPU counted of the classes from @from to before @to. */
static void kma_peak_walk_cpu(const struct kma_class_count *c, unsigned int from,
			      unsigned int to, struct kma_peak_add add)
{
	unsigned int class;

	for (class = from; class < to; class++) {
		u64 n = READ_ONCE(*(add.in ? &c[class].in : &c[class].out));
		u16 site = kma_class_owner(class);

		if (n && site < kma_peak_room)
			*(u64 *)((char *)&kma_peaks[site] + add.to) +=
				add.sign * n * kma_class_weight(class);
	}
}

/*
 * One walk over the counters: add to the sites, in bytes. Only classes before @end: they are
 * of the sites that a look began with.
 */
static void kma_peak_walk(struct kma_peak_end end, struct kma_peak_add add)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kma_class_count *c = per_cpu(kma_class_counts, cpu);

		if (c) {
			kma_peak_walk_cpu(c, 1, end.sized, add);
			kma_peak_walk_cpu(c, KMA_CLASS_FIRST, end.nr, add);
		}
		cond_resched();
	}
}

/* Differences may be negative: G is younger than A. */
static void kma_peak_raise(u64 *bound, u64 bytes)
{
	if ((s64)bytes > (s64)*bound)
		*bound = bytes;
}

/* Paths are added to their call site, with what that has counted itself. */
static void kma_peak_merge(unsigned int nr)
{
	unsigned int id;

	for (id = 0; id < nr; id++) {
		struct kma_peak_site *to;

		to = &kma_peaks_merged[kma_sites.sites[id].base];
		to->live += kma_peaks[id].live;
		to->freed_now += kma_peaks[id].freed_now;
	}
}

static void kma_peak_merge_high(unsigned int nr)
{
	struct kma_peak_site *s;

	kma_peak_merge(nr);
	for (s = kma_peaks_merged; s < kma_peaks_merged + nr; s++) {
		kma_peak_raise(&s->peak.high, s->live - s->freed);
		s->freed = s->freed_now;
		s->freed_now = 0;
		s->live = 0;
	}
}

static void kma_peak_merge_low(unsigned int nr)
{
	struct kma_peak_site *s;

	kma_peak_merge(nr);
	for (s = kma_peaks_merged; s < kma_peaks_merged + nr; s++) {
		kma_peak_raise(&s->peak.low, s->live);
		s->live = 0;
	}
}

/* After A and before G. */
static void kma_peak_raise_high(unsigned int nr)
{
	struct kma_peak_site *all = &kma_peak_all, *s;

	all->live = 0;
	all->freed_now = 0;
	for (s = kma_peaks; s < kma_peaks + nr; s++) {
		kma_peak_raise(&s->peak.high, s->live - s->freed);
		all->live += s->live;
		all->freed_now += s->freed_now;
		s->freed = s->freed_now;
		s->freed_now = 0;
	}
	kma_peak_raise(&all->peak.high, all->live - all->freed);
	all->freed = all->freed_now;
}

static void kma_peak_raise_low(unsigned int nr)
{
	struct kma_peak_site *all = &kma_peak_all, *s;

	all->live = 0;
	for (s = kma_peaks; s < kma_peaks + nr; s++) {
		kma_peak_raise(&s->peak.low, s->live);
		all->live += s->live;
		s->live = 0;
	}
	kma_peak_raise(&all->peak.low, all->live);
}

/* Forget what the look has summed. */
static __cold void kma_peak_clean(void)
{
	struct kma_peak_site *s;

	for (s = kma_peaks; s < kma_peaks + kma_peak_room; s++) {
		s->freed_now = 0;
		s->live = 0;
	}
}

/*
 * F and A of all sites that there are. A site for which there was no room came meanwhile: the
 * bounds of all sites together would miss it, so all is summed anew if there can be more room.
 */
static __cold unsigned int kma_peak_sum(struct kma_peak_end *end)
{
	unsigned int nr;

	kma_peak_grow(kma_site_nr() + KMA_PEAK_AHEAD);
	for (;;) {
		kma_peak_walk(kma_peak_end(), (struct kma_peak_add){
			.to = offsetof(struct kma_peak_site, freed_now), .sign = 1 });
		smp_rmb(); /* pairs with the bucket locks, as in kma_site_fold() */
		*end = kma_peak_end();
		kma_peak_walk(*end, (struct kma_peak_add){
			.in = true, .to = offsetof(struct kma_peak_site, live), .sign = 1 });
		/* after the classes: the sites of all of them are there */
		nr = kma_site_nr();
		if (nr <= kma_peak_room || !kma_peak_grow(nr + KMA_PEAK_AHEAD))
			return min(nr, kma_peak_room);
		kma_peak_clean();
	}
}

__cold u64 kma_peak_look(void)
{
	u64 begin = ktime_get_ns(), ns;
	struct kma_peak_end end;
	unsigned int nr;

	if (!kma_peaks)
		return 0;
	nr = kma_peak_sum(&end);
	if (kma_peaks_merged)
		kma_peak_merge_high(nr);
	kma_peak_raise_high(nr);
	smp_rmb(); /* the same: what is freed was allocated */
	kma_peak_walk(end, (struct kma_peak_add){
		.to = offsetof(struct kma_peak_site, live), .sign = -1 });
	if (kma_peaks_merged)
		kma_peak_merge_low(nr);
	kma_peak_raise_low(nr);
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
	return kma_peak_all.peak;
}

__cold struct kma_peak_stats kma_peak_stats(void)
{
	struct kma_peak_stats stats = kma_peak_costs;

	stats.bytes = kma_peaks ? kma_peak_bytes(kma_peak_room) << !!kma_peaks_merged : 0;
	return stats;
}

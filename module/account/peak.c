// SPDX-License-Identifier: GPL-2.0
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
#include <linux/vmalloc.h>

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

static size_t kma_peak_bytes(void)
{
	return array_size(kma_sites.max, sizeof(*kma_peaks));
}

__cold int kma_peak_init(bool paths)
{
	KMA_STUB(kma_peak_init, paths);
	kma_peaks = vzalloc(kma_peak_bytes());
	if (paths)
		kma_peaks_merged = vzalloc(kma_peak_bytes());
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
	kma_peaks_merged = vzalloc(kma_peak_bytes());
	if (!kma_peaks_merged)
		return -ENOMEM;
	memcpy(kma_peaks_merged, kma_peaks, kma_peak_bytes());
	kma_peak_costs.bytes += kma_peak_bytes();
	return 0;
}

__cold void kma_peak_deinit(void)
{
	vfree(kma_peaks_merged);
	kma_peaks_merged = NULL;
	vfree(kma_peaks);
	kma_peaks = NULL;
}

__cold void kma_peak_reset(void)
{
	if (!kma_peaks)
		return;
	memset(kma_peaks, 0, kma_peak_bytes());
	if (kma_peaks_merged)
		memset(kma_peaks_merged, 0, kma_peak_bytes());
	memset(&kma_peak_all, 0, sizeof(kma_peak_all));
	kma_peak_costs = (struct kma_peak_stats){
		.bytes = kma_peak_bytes() << !!kma_peaks_merged,
	};
}

/*
 * One walk over the counters: add to the sites what was allocated, or freed, in bytes.
 * Only classes below @end: of the sites that a look began with.
 */
static void kma_peak_walk(unsigned int end, bool in, size_t to, int sign)
{
	unsigned int class;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kma_class_count *c = per_cpu(kma_class_counts, cpu);

		for (class = 1; c && class < end; class++) {
			u64 n = READ_ONCE(*(in ? &c[class].in : &c[class].out));
			u16 site = kma_class_owner(class);

			if (n && site < kma_sites.max)
				*(u64 *)((char *)&kma_peaks[site] + to) +=
					sign * n * kma_class_weight(class);
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

u64 kma_peak_look(void)
{
	u64 begin = ktime_get_ns(), ns;
	unsigned int classes, nr;

	if (!kma_peaks)
		return 0;
	kma_peak_walk(kma_class_nr(), false, offsetof(struct kma_peak_site, freed_now), 1);
	smp_rmb(); /* pairs with the bucket locks, as in kma_site_fold() */
	classes = kma_class_nr();
	kma_peak_walk(classes, true, offsetof(struct kma_peak_site, live), 1);
	/* after the classes: the sites of all of them are there */
	nr = kma_site_nr();
	if (kma_peaks_merged)
		kma_peak_merge_high(nr);
	kma_peak_raise_high(nr);
	smp_rmb(); /* the same: what is freed was allocated */
	kma_peak_walk(classes, false, offsetof(struct kma_peak_site, live), -1);
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
	return kma_peaks ? kma_peaks[id].peak : (struct kma_peak){};
}

__cold struct kma_peak kma_peak_merged(unsigned int id)
{
	return kma_peaks_merged ? kma_peaks_merged[id].peak : kma_peak_of(id);
}

__cold struct kma_peak kma_peak_total(void)
{
	return kma_peak_all.peak;
}

__cold struct kma_peak_stats kma_peak_stats(void)
{
	return kma_peak_costs;
}

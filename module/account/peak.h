/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peak.h - bounds of the largest number of live bytes that each site has had.
 *
 * To keep a maximum at each event, the event would have to sum the counters of its site over all
 * CPUs. Instead, a worker looks at all sites at intervals, and so does each report. Each look
 * updates two bounds of each site:
 *
 *  low   the largest number of live bytes that a look has seen. Objects that lived only between
 *        two looks are missing.
 *  high  the largest sum, over all intervals between looks, of the bytes that were live at the
 *        begin of the interval and the bytes that were allocated in it.
 *
 * The peak is never below low and never above high, although events continue during a look.
 * Look k sums the frees, then the allocations, then the frees again. Call these sums F, A and G.
 * Each sum has at least what was counted when its summing began, and at most what was counted
 * when its summing ended. Therefore:
 *
 *  A - G        is at most what was live when A ended and G began;
 *  A - F of     is at least what was live at any time from the end of the frees of look k-1
 *  look k-1     to the begin of the allocations of look k.
 *
 * A - F of one look, which the other columns show, is not such a bound: objects that are
 * allocated and freed during a slow look seem to be live at once, and the maximum of many looks
 * would be that error.
 *
 * The bounds are for what is counted. Two kinds of objects are counted and taken back at once:
 * the first event of a large object that has two events (account.h), and an object for which the
 * map has no room. A look in between counts these bytes at a site that does not keep them. In the
 * same way, the parts of a block of pages that is split (pages.h) are counted before the count of
 * the whole block is taken back.
 *
 * A look reads only the counters that have changed since the previous look: an event marks the
 * counter that it has changed (count.h). The value at the previous look is stored next to each
 * counter, and the look adds the difference to the sums of the site. The first of the three scans
 * clears the marks. The other two scans, and the next look, read the counters that were marked
 * since. A counter that an event has changed but not marked yet counts as unchanged.
 *
 * Never done here: any work during an event, except for that mark.
 *
 * Locking: the caller serialises looks, readers and resets (control.h).
 *
 * Contexts: process, may sleep, unless stated. Bounds are those of the looks until now; zeroes
 * without kma_peak_init().
 */
#ifndef KMA_PEAK_H
#define KMA_PEAK_H

#include <linux/types.h>

/* In bytes. */
struct kma_peak {
	u64 low;
	u64 high;
};

struct kma_peak_stats {
	u64 looks;	/* since the account began */
	u64 ns;		/* time that they took */
	size_t bytes;	/* memory of the tables */
};

/*
 * After kma_site_init(). With @paths, the peak of each call site together with all its paths
 * (path.h) is kept as well. Returns 0 or -ENOMEM.
 */
int kma_peak_init(bool paths);

/*
 * The same from now on, before the first path; serialised with kma_peak_look(). The peak of a call
 * site without paths is that of its site, so the peaks until now stay. Returns 0 or -ENOMEM.
 */
int kma_peak_paths(void);

void kma_peak_deinit(void);

/* Forget all peaks, with kma_site_reset() and kma_class_reset(). */
void kma_peak_reset(void);

/*
 * Update the bounds of all sites; return the nanoseconds that it took. If there is no memory for
 * new sites, they have no peak and are not in the sums until there is; the caller bounds them by
 * all bytes allocated (report.c). The look reads the marks of each CPU that was ever online, a byte
 * for each class, and the counters that are marked. A call site and its paths are summed within the
 * look, so the bounds hold for their sum as well.
 */
u64 kma_peak_look(void);

/* Any context. */
struct kma_peak kma_peak_of(unsigned int id);

/*
 * Of a call site together with all its paths, at least the largest of their peaks, and at most
 * their sum; kma_peak_of() if paths are not kept.
 */
struct kma_peak kma_peak_merged(unsigned int id);

/* Of all sites together: at most the sum of their peaks, which were at different times. */
struct kma_peak kma_peak_total(void);

struct kma_peak_stats kma_peak_stats(void);

#endif /* KMA_PEAK_H */

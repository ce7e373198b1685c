/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peak.h - the most that each site held, between two numbers.
 *
 * An event that kept a maximum would have to know what its site holds on all
 * CPUs. So no event does: all sites are looked at now and then, by a worker and
 * by each report, and every look moves two bounds of each site:
 *
 *  low   the largest number of live bytes that a look has seen. What lived only
 *        between two looks is missing.
 *  high  the largest of, for each interval, what was live at its begin and all
 *        that was allocated in it.
 *
 * The truth lies between them, and that is strict although events go on during
 * a look, which sums the frees, then the allocations, then the frees again. With
 * F, A, G these sums of look k, each of which holds at least what was counted
 * when its summing began and at most what was counted when it ended:
 *
 *  A - G        is at most what was live when A ended and G began;
 *  A - F of     is at least what was live at any time from the end of the frees
 *  look k-1     of look k-1 to the begin of the allocations of look k.
 *
 * With A - F of one look, which is what the other columns show, it would not be:
 * what came and went while a slow look went on would seem to live at once, and
 * of many looks a maximum keeps just that one.
 *
 * All this is about what is counted. The first event of a large object that has
 * two (account.h), and an object for which the map has no room, are counted and
 * taken back at once: a look in between sees bytes that are booked to another
 * site, or to none, a moment later. In the same way, the parts of a block of pages that is
 * cut (pages.h) are counted before the whole is taken back.
 *
 * A look reads only counters that have changed since the last one: an event marks what it has
 * counted (count.h). What a counter was when it was read is kept beside it, and its change is
 * added to the sums of its site. The first of three scans of the marks takes them; what is marked
 * behind it is read by the others, and by the next look again. A counter that an event has
 * changed, but not marked yet, counts as not changed yet.
 *
 * Never done here: anything during an event but that mark.
 *
 * Locking: the caller serialises looks, readers and resets (control.h).
 */
#ifndef KMA_PEAK_H
#define KMA_PEAK_H

#include <linux/types.h>

/**
 * struct kma_peak - between which numbers a peak lies
 * @low: bytes that were live at once
 * @high: bytes above which it never came
 */
struct kma_peak {
	u64 low;
	u64 high;
};

/**
 * struct kma_peak_stats - what the looks cost
 * @looks: how many there were since the account began
 * @ns: how long they took
 * @bytes: memory for them
 */
struct kma_peak_stats {
	u64 looks;
	u64 ns;
	size_t bytes;
};

/**
 * kma_peak_init() - make room for the first sites
 * @paths: some of them may be paths (path.h) of others: look at the peak of a
 *	call site with all its paths as well
 *
 * Context: process, may sleep; after kma_site_init().
 * Return: 0 or -ENOMEM.
 */
int kma_peak_init(bool paths);

/**
 * kma_peak_paths() - some sites may be paths from now on, as with kma_peak_init()
 *
 * Peaks so far stay: a call site without paths had the peak of its site.
 *
 * Context: process, may sleep; serialised with kma_peak_look(), before the first path.
 * Return: 0 or -ENOMEM.
 */
int kma_peak_paths(void);

/**
 * kma_peak_deinit() - give it back; also without kma_peak_init()
 *
 * Context: process, may sleep.
 */
void kma_peak_deinit(void);

/**
 * kma_peak_reset() - forget all peaks, with kma_site_reset() and kma_class_reset()
 *
 * Context: process, may sleep.
 */
void kma_peak_reset(void);

/**
 * kma_peak_look() - look at all sites
 *
 * Makes room for sites that have come. Without memory for that, they have no peak, and are in
 * none of the sums.
 *
 * Reads the marks of each CPU that was ever online, a byte for each class, and the counters that
 * are marked. Without kma_peak_init() it does nothing. A call site and its paths are summed
 * within the look: the bounds hold for them as they do for a site.
 *
 * Context: process, may sleep.
 * Return: how long it took, in nanoseconds.
 */
u64 kma_peak_look(void);

/**
 * kma_peak_of() - the peak of a site, by the looks so far
 * @id: the site
 *
 * Return: its bounds; zeroes without kma_peak_init().
 */
struct kma_peak kma_peak_of(unsigned int id);

/**
 * kma_peak_merged() - the peak of a call site with all its paths
 * @id: the call site, no path
 *
 * More than the largest of theirs, less than their sum.
 *
 * Return: its bounds; where there are no paths, kma_peak_of().
 */
struct kma_peak kma_peak_merged(unsigned int id);

/**
 * kma_peak_total() - the peak of all sites together, by the looks so far
 *
 * Less than the sum of their peaks, which were not at the same time.
 *
 * Return: its bounds.
 */
struct kma_peak kma_peak_total(void);

/**
 * kma_peak_stats() - what the looks cost
 *
 * Return: the figures of now.
 */
struct kma_peak_stats kma_peak_stats(void);

#endif /* KMA_PEAK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resize.h - how large the live map is: its memory, its growth, and what it gives back.
 *
 * The worker (growth.h) keeps the map at about six objects for each home bucket of ten slots
 * (KMA_LIVE_LOAD_8). It does not count the objects: it looks at some hundred buckets all
 * over the map. It keeps overflow buckets ready for allocations that outrun it.
 *
 * The map grows as soon as an event finds more overflow buckets in chains, or fewer to
 * spare, than the worker has set as limits (kma_live_limits). It shrinks when the worker
 * looks, which it does every few seconds: by joining buckets in pairs, the last home first,
 * when it has half as many homes again as its objects need; and by moving what is in the
 * last overflow buckets to others, when it has twice as many of these as it needs. So
 * objects that come and go do not make it grow and shrink all the time.
 *
 * Never done here: nothing that an event waits for, but one split or one join.
 *
 * Locking: all functions are serialised by the caller. Splits and joins take the locks of
 * home buckets (live.h).
 */
#ifndef KMA_RESIZE_H
#define KMA_RESIZE_H

#include <linux/types.h>

#define KMA_LIVE_LOAD_8		47	/* objects for each eight home buckets */

/**
 * kma_live_init() - reserve a small map, closed
 * @max_objects: how many objects it must be able to hold; it holds somewhat
 *	more, and never less than the smallest map does
 * @births: keep births
 * @wake: called when kma_live_grow() should run; from any context but NMI,
 *	with irqs off, maybe often
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -EOPNOTSUPP if addresses of this machine do not fit.
 */
int kma_live_init(unsigned long max_objects, bool births, void (*wake)(void));

/**
 * kma_live_attach() - keep births from now on (birth.h); those of all objects are unknown
 *
 * Context: process, may sleep; one caller at a time; no event takes the inline half of
 * account.h.
 * Return: 0; -ENOMEM with nothing changed.
 */
int kma_live_attach(void);

/**
 * kma_live_detach() - stop keeping births, and release them
 *
 * Context: process, may sleep; one caller at a time; no event uses births, others go on.
 */
void kma_live_detach(void);

/**
 * kma_live_deinit() - release the map; no event may use the map from now on
 *
 * Context: process, may sleep.
 */
void kma_live_deinit(void);

/**
 * kma_live_reset() - forget all objects, and give back what the smallest map does not need
 *
 * If memory to map fewer pages is refused, the map is empty and stays as large as it is.
 *
 * Context: process, may sleep. The map is closed, and no event is in it.
 */
void kma_live_reset(void);

/**
 * kma_live_grow() - make room, as long as there is memory
 *
 * Splits buckets until the chains are short again and refills the stack of
 * overflow buckets.
 *
 * Context: process, may sleep; one caller at a time; events go on.
 * Return: 0, -ENOMEM, or -ENOSPC when the map has its full size.
 */
int kma_live_grow(void);

/**
 * kma_live_shrink() - give back memory that the map does not need
 * @hard: memory is short: give back what is beyond the need, not only what is far beyond
 *
 * A call joins about ten thousand buckets at most. If memory is left to release, the caller
 * calls the function again, after kma_live_grow() if an event requested growth in between.
 *
 * Context: process, may sleep; one caller at a time; events go on.
 * Return: 0 when nothing is left to give back; -EAGAIN; -ENOMEM if memory to map fewer
 * pages, or a spare bucket, is refused.
 */
int kma_live_shrink(bool hard);

/**
 * kma_live_excess() - about how much kma_live_shrink() could give back
 *
 * Context: any that may be interrupted. It takes no lock but those of buckets, and allocates
 * nothing.
 * Return: pages.
 */
unsigned long kma_live_excess(void);

/**
 * struct kma_live_stats - how the map is used
 * @slots: objects that fit in the buckets that exist
 * @max_slots: the same when it has its full size
 * @bytes: memory that it takes
 * @homes: home buckets
 * @overflow: overflow buckets in chains
 * @grow_runs: how often kma_live_grow() ran since kma_live_init()
 * @grow_refused: how often of these memory was refused
 * @given_back: pages that kma_live_shrink() and kma_live_reset() have released since then
 */
struct kma_live_stats {
	unsigned long slots;
	unsigned long max_slots;
	size_t bytes;
	unsigned long homes;
	unsigned long overflow;
	unsigned long grow_runs;
	unsigned long grow_refused;
	unsigned long given_back;
};

/**
 * kma_live_stats() - how the map is used
 *
 * Context: process, serialised with kma_live_grow().
 * Return: the figures of now.
 */
struct kma_live_stats kma_live_stats(void);

#endif /* KMA_RESIZE_H */

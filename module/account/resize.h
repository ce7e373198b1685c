/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resize.h - the size of the live map: how the map grows and shrinks, and its memory.
 *
 * The worker (growth.h) keeps the map at about six objects for each home bucket of ten slots
 * (KMA_LIVE_LOAD_8). It does not count the objects, but samples up to 2048 home buckets at equal
 * distances. It keeps overflow buckets ready for allocations that are faster than the worker.
 *
 * The map grows as soon as an event finds more overflow buckets in chains, or fewer
 * spare ones, than the worker has set as limits (kma_live_limits). The map shrinks when
 * kma_live_shrink() finds that it is too large, which pressure.h calls every few seconds. Buckets
 * are joined in pairs, the last home first, if there are more than one and a half times as many
 * homes as the objects need. The contents of the last overflow buckets are moved to others, if
 * there are more than twice as many overflow buckets as needed, or a quarter more while their
 * number does not change. A varying number of objects therefore does not make the map grow and
 * shrink all the time.
 *
 * Never done here: making an event wait for more than one split or one join.
 *
 * Locking: the caller serialises all functions. Splits and joins take the locks of
 * home buckets (live.h). To release spare buckets takes cpus_read_trylock().
 */
#ifndef KMA_RESIZE_H
#define KMA_RESIZE_H

#include <linux/types.h>

#define KMA_LIVE_LOAD_8		49	/* objects for each 8 home buckets */

/**
 * kma_live_init() - reserve a small map, closed
 * @max_objects: number of objects that the map must be able to hold when it has grown; it holds
 *	somewhat more, and never less than the smallest map does
 * @births: true to store births
 * @wake: called when kma_live_grow() should run; in any context but NMI,
 *	with irqs off, maybe often
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -EOPNOTSUPP if addresses of this machine do not fit.
 */
int kma_live_init(unsigned long max_objects, bool births, void (*wake)(void));

/**
 * kma_live_attach() - store births from now on (birth.h); those of existing objects are unknown
 *
 * Context: process, may sleep; one caller at a time; no event takes the inline half of
 * account.h.
 * Return: 0; -ENOMEM with nothing changed.
 */
int kma_live_attach(void);

/**
 * kma_live_detach() - stop storing births, and release their memory
 *
 * Context: process, may sleep; one caller at a time; no event uses births, other events go on.
 */
void kma_live_detach(void);

/**
 * kma_live_deinit() - release the map; no event may use the map from now on
 *
 * Context: process, may sleep.
 */
void kma_live_deinit(void);

/**
 * kma_live_reset() - forget all objects, and release what the smallest map does not need
 *
 * If memory to map fewer pages is refused, the map becomes empty and keeps its memory.
 *
 * Context: process, may sleep. The map is closed, and no event uses it.
 */
void kma_live_reset(void);

/**
 * kma_live_grow() - grow the map to the number of its objects
 *
 * Splits buckets until the chains are short again, and refills the depot of
 * overflow buckets.
 *
 * Context: process, may sleep; one caller at a time; events go on.
 * Return: 0, -ENOMEM, or -ENOSPC when the map has its full size; -EAGAIN if the map grows further
 * when kma_area_settle() has been called for the last ticket: the caller calls again then.
 */
int kma_live_grow(void);

/**
 * kma_live_shrink() - release memory that the map does not need
 * @hard: true if memory is short: release nearly all that is not needed, without the reserve
 *	for a varying number of objects
 *
 * A call joins at most KMA_JOINS (8192) buckets. If more are to be joined, the caller
 * calls the function again, after kma_live_grow() if an event requested growth in between. The
 * memory is released by kma_area_settle().
 *
 * Context: process, may sleep; one caller at a time; events go on.
 * Return: 0 when nothing is left to release, or what is left are spare buckets while a CPU goes
 * online or offline; -EAGAIN if more buckets are to be joined; -EINPROGRESS if the caller is to
 * call again when kma_area_settle() has been called for the last ticket; -ENOMEM if memory to map
 * fewer pages, or a spare bucket, is refused.
 */
int kma_live_shrink(bool hard);

/**
 * kma_live_excess() - get the approximate memory that kma_live_shrink() could release
 *
 * Context: any. Only reads a number, which kma_live_shrink() has stored.
 * Return: pages.
 */
unsigned long kma_live_excess(void);

/**
 * struct kma_live_stats - how the map is used
 * @slots: number of objects that fit in the existing buckets
 * @max_slots: number of objects that fit in the map when it has its full size
 * @bytes: memory that the map takes
 * @homes: number of home buckets
 * @overflow: number of overflow buckets in chains
 * @grow_runs: number of calls of kma_live_grow() since kma_live_init(), without those that
 *	returned -EAGAIN
 * @grow_refused: number of these calls that were refused memory
 * @given_back: pages that kma_live_shrink() and kma_live_reset() have released since
 *	kma_live_init()
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
 * kma_live_stats() - get the figures of the map
 *
 * Context: process, serialised with kma_live_grow().
 * Return: the current figures.
 */
struct kma_live_stats kma_live_stats(void);

#endif /* KMA_RESIZE_H */

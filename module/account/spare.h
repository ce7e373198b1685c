/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spare.h - overflow buckets of the live map: those in chains, those to spare.
 *
 * A probe whose home bucket is full takes a spare bucket and cannot allocate
 * one. A bucket is named by its index + 1, 0 is none.
 *
 *  - Each CPU keeps some batches of spare buckets, takes from them and gives back
 *    to them, and shares nothing with other CPUs while it does: not the lines of
 *    the buckets either, which are in its cache (J. Bonwick, J. Adams,
 *    "Magazines and Vmem", USENIX 2001).
 *  - All other spares wait in the depot, a lock-free stack of whole batches.
 *    kma_spare_add(), called by the worker, puts more there.
 *  - The buckets of a batch are linked by their heads. The first tag of its
 *    first bucket names the next batch of the stack.
 *
 * The stack is R. K. Treiber's ("Systems programming: coping with parallelism",
 * 1986): the low half of its top names the first batch, the high half changes
 * with each pop, so that a compare never succeeds on an old top. A pop may read
 * a bucket that is in use again, but only follows what it read when the
 * compare has shown that it was not. That is why batches are linked and not cut
 * off a list of buckets: to cut, one would have to follow links first.
 *
 * Some can be withdrawn, those with the highest numbers, and their memory released:
 *
 *  1. From now on they are put aside when they are given back. Each CPU sorts what it keeps,
 *     in an interrupt of its own, keeps four batches of it at most, and gives all further ones
 *     to a second depot. So all CPUs know, and no bucket that is to go is in that depot.
 *  2. The first depot is emptied, and its batches sorted. It still serves a CPU that finds
 *     nothing in the second one.
 *  3. Each CPU sorts once more what it keeps, because it may have come from the first depot.
 *     Those that are to go are now put aside or in chains. No more of them are handed out.
 *  4. The caller moves what is in their part of the chains, and gives them back.
 *  5. If all are aside, their memory is released, else they are handed out again; also if
 *     events have taken nearly all others meanwhile.
 *
 * What a CPU keeps, no other can take: less than KMA_SPARE_CPU_MAX buckets or
 * 64 KiB for each possible CPU, also for one that is offline. They come on top of
 * the maximum and of what is kept ready, so that the map has no less room for it.
 * It is as much as 6,800 objects need that come and go at once.
 *
 * Never done here: no waiting but in kma_spare_withdraw() and _settle(), no allocation but
 * in kma_spare_add() and, to map fewer pages, in _settle().
 *
 * Locking: kma_spare_pop() and _push() are called with irqs off, which makes the
 * batches of this CPU ours, in any context but NMI. _init(), _deinit(), _attach(), _detach(),
 * _reset(), _add(), _withdraw() and _settle() are serialised by the caller. The batches of a
 * CPU that is offline are nobody's, and it stays so under cpus_read_lock().
 */
#ifndef KMA_SPARE_H
#define KMA_SPARE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/bucket.h"

#define KMA_SPARE_BATCH		32u	/* buckets */
#define KMA_SPARE_CPU_BATCHES	31u	/* whole ones; another one in parts */
#define KMA_SPARE_CPU_MAX	((KMA_SPARE_CPU_BATCHES + 1) * KMA_SPARE_BATCH)
#define KMA_SPARE_SORTED	4u	/* whole ones that kma_spare_withdraw() leaves to it */

extern struct kma_bucket *kma_spare_buckets;

/**
 * kma_overflow() - an overflow bucket
 * @next: its index + 1, not 0
 *
 * Context: any; within one RCU read-side section, as irqs off are, or
 * serialised with kma_spare_add().
 * Return: the bucket.
 */
static __always_inline struct kma_bucket *kma_overflow(u32 next)
{
	return READ_ONCE(kma_spare_buckets) + (next - 1);
}

/**
 * kma_spare_init() - initialise the depot without buckets
 * @max: maximum number of buckets, in addition to the buckets that CPUs keep
 * @step: number of buckets that kma_spare_add() adds at first, in whole pages and batches
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_spare_init(u32 max, u32 step);

/**
 * kma_spare_attach() - keep births of the objects in overflow buckets, all unknown
 *
 * Context: process, may sleep; step 2 of birth.h, before the home buckets.
 * Return: 0 or -ENOMEM.
 */
int kma_spare_attach(void);

/**
 * kma_spare_detach() - release the births of the objects in overflow buckets
 *
 * Context: process, may sleep; the caller has hidden the births, and every event that saw
 * them has ended.
 */
void kma_spare_detach(void);

/**
 * kma_spare_deinit() - release all buckets; no event may use a bucket from now on
 *
 * Context: process, may sleep.
 */
void kma_spare_deinit(void);

/**
 * kma_spare_reset() - all buckets are to spare again, and in the depot
 *
 * More than kma_spare_add() makes at first are released, if there is memory to map the others.
 *
 * Context: process, may sleep; no chain is in use, no event is in progress.
 * Return: number of pages released.
 */
long kma_spare_reset(void);

/**
 * kma_spare_add() - make more buckets
 *
 * An eighth more, one step at least, while less than a quarter of a step is to spare; else an
 * eighth of that, so that little comes on top of what the caller lacks.
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENOSPC at the maximum.
 */
int kma_spare_add(void);

/**
 * kma_spare_withdraw() - withdraw the last buckets: steps 1 to 3
 * @keep: number of buckets that stay, a multiple of KMA_SPARE_BATCH in whole pages
 *
 * Context: process, may sleep; kma_spare_settle() follows.
 */
void kma_spare_withdraw(u32 keep);

/**
 * kma_spare_stays() - test if a bucket stays
 * @bucket: index of the bucket + 1
 *
 * Context: process, between kma_spare_withdraw() and kma_spare_settle().
 * Return: true if the bucket stays; false if the caller must move the bucket's objects and
 * release the bucket by kma_spare_push().
 */
bool kma_spare_stays(u32 bucket);

/**
 * kma_spare_settle() - release the buckets that are withdrawn, or take them back: step 5
 * @release: false to take them back
 *
 * Context: process, may sleep.
 * Return: number of pages released; 0 if some of the buckets are in chains, or they are taken
 * back; -ENOMEM.
 */
long kma_spare_settle(bool release);

/**
 * kma_spare_pop() - take a spare bucket
 * @fetched: set to true if a batch had to be fetched from the depot, or there was
 *	none: then, and only then, has kma_spare_left() become less
 *
 * Context: any but NMI, irqs off.
 * Return: index of the bucket + 1; 0 if no spare bucket is available.
 */
u32 kma_spare_pop(bool *fetched);

/**
 * kma_spare_push() - return a bucket to the spares
 * @bucket: index of the bucket + 1
 *
 * Context: any but NMI, irqs off.
 */
void kma_spare_push(u32 bucket);

/**
 * kma_spare_left() - get the approximate number of buckets that any CPU can take
 *
 * Return: number of buckets in the depot.
 */
u32 kma_spare_left(void);

/**
 * kma_spare_can_add() - test if the number of buckets is below its maximum
 *
 * Context: any.
 * Return: true if kma_spare_add() may add buckets; false at the maximum.
 */
bool kma_spare_can_add(void);

/**
 * kma_spare_nr() - get the number of all buckets
 *
 * Context: serialised with kma_spare_add().
 * Return: number of buckets, both those in chains and the spare ones.
 */
u32 kma_spare_nr(void);

/**
 * kma_spare_taken() - about how many buckets are in chains
 *
 * In whole batches, and each CPU that takes buckets tells two batches at a time: the
 * number is wrong by less than two batches for each such CPU. It does not depend on the
 * number of possible CPUs. kma_spare_used() is exact, and costs more.
 *
 * Context: any.
 * Return: the number of buckets.
 */
u32 kma_spare_taken(void);

/**
 * kma_spare_used() - number of buckets in chains, of about now
 *
 * Looks at all possible CPUs.
 *
 * Return: the number.
 */
u32 kma_spare_used(void);

/**
 * kma_spare_kept() - number of buckets that kma_spare_withdraw() would leave to CPUs
 *
 * Looks at all possible CPUs.
 *
 * Return: the number, at most, of about now.
 */
u32 kma_spare_kept(void);

/**
 * kma_spare_memory() - get the memory that all overflow buckets take
 * @buckets: set to the number of buckets
 * @max: set to the maximum number of buckets
 *
 * Return: bytes.
 */
size_t kma_spare_memory(unsigned long *buckets, unsigned long *max);

#endif /* KMA_SPARE_H */

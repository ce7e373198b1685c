/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spare.h - overflow buckets of the live map that are in no chain: the spare buckets.
 *
 * An event whose home bucket is full takes a spare bucket, because it cannot allocate
 * one. A bucket is named by its index + 1; 0 is no bucket.
 *
 *  - Each CPU keeps some batches of spare buckets, and takes buckets from them and returns
 *    buckets to them. It shares nothing with other CPUs while it does, and the buckets
 *    are in its cache (J. Bonwick, J. Adams, "Magazines and Vmem", USENIX 2001).
 *  - All other spare buckets are in the depot, a lock-free stack of whole batches.
 *    The worker adds buckets to the depot by kma_spare_add().
 *  - The buckets of a batch are linked by their heads. The first tag of the
 *    first bucket of a batch names the next batch of the stack.
 *
 * The stack is R. K. Treiber's ("Systems programming: coping with parallelism",
 * 1986). The low half of its top names the first batch. The high half changes
 * with each pop, so a compare-and-exchange never succeeds on an old top. A pop may read
 * a bucket that is in use again. It uses the value that it read only if the exchange succeeds,
 * which shows that the bucket was not in use. This is why the stack links batches: to cut a
 * batch off a list of buckets, a pop would have to follow links before the exchange.
 *
 * kma_spare_withdraw() and kma_spare_settle() release the memory of the buckets with the highest
 * numbers, in five steps:
 *
 *  1. From now on a bucket that is withdrawn is put aside when it is returned. Each CPU sorts the
 *     buckets that it keeps, a few batches in each of some interrupts on that CPU. It keeps at
 *     most four batches of the others, and pushes the rest to a second depot. After this step
 *     all CPUs put buckets aside, and the second depot has no withdrawn bucket.
 *  2. The first depot is emptied, and its batches are sorted. Until it is empty it still serves
 *     a CPU that finds nothing in the second depot.
 *  3. Each CPU sorts its buckets again, because they may have come from the first depot.
 *     Each withdrawn bucket is now aside or in a chain, and none is taken any more.
 *  4. The caller moves the contents of withdrawn buckets in chains to other buckets, and returns
 *     the withdrawn ones.
 *  5. If all withdrawn buckets are aside, their memory is released. If not, or if events have
 *     taken nearly all other buckets in the meantime, the withdrawn buckets become spare again.
 *
 * No other CPU can take the buckets that a CPU keeps: fewer than KMA_SPARE_CPU_MAX buckets, or
 * 64 KiB, for each possible CPU, also for one that is offline. The maximum and the reserve do not
 * include them, so they leave the map no less space. They are enough for about 6,800 objects that
 * are allocated and freed together.
 *
 * Never done here: waiting, except in kma_spare_withdraw() and _settle(); allocating, except
 * in kma_spare_add() and, to map fewer pages, in _settle() and _reset().
 *
 * Locking: kma_spare_pop() and _push() are called with irqs off, which protects the
 * batches of this CPU, in any context but NMI. The caller serialises _init(), _deinit(),
 * _attach(), _detach(), _reset(), _add(), _withdraw() and _settle(). For _withdraw() and
 * _settle() it holds cpus_read_lock(), too: no other code uses the batches of an offline CPU,
 * and the CPU stays offline.
 */
#ifndef KMA_SPARE_H
#define KMA_SPARE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/bucket.h"

#define KMA_SPARE_BATCH		32u	/* buckets */
#define KMA_SPARE_CPU_BATCHES	31u	/* whole batches; one more may be incomplete */
#define KMA_SPARE_CPU_MAX	((KMA_SPARE_CPU_BATCHES + 1) * KMA_SPARE_BATCH)
#define KMA_SPARE_SORTED	4u	/* whole batches after kma_spare_withdraw() */
#define KMA_SPARE_STEP		8u	/* whole batches that a CPU sorts in one interrupt */

extern struct kma_bucket *kma_spare_buckets;

/**
 * kma_overflow() - get an overflow bucket by its name
 * @next: the bucket's index + 1, not 0
 *
 * Context: any; within one RCU read-side section (a region with irqs off is one), or
 * serialised with kma_spare_add().
 * Return: the bucket.
 */
static __always_inline struct kma_bucket *kma_overflow(u32 next)
{
	return READ_ONCE(kma_spare_buckets) + next - 1;
}

/**
 * kma_overflow_after() - get the overflow bucket that follows a bucket
 * @head: head of a bucket that another one follows
 *
 * This is kma_overflow() of kma_bucket_next(), with two shifts in one.
 *
 * Context: as for kma_overflow().
 * Return: the bucket.
 */
static __always_inline struct kma_bucket *kma_overflow_after(u32 head)
{
	unsigned long next = head & ~KMA_BUCKET_COUNT;

	return (void *)READ_ONCE(kma_spare_buckets) +
	       (next << (KMA_BUCKET_SHIFT - KMA_BUCKET_NEXT_SHIFT)) - sizeof(struct kma_bucket);
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
 * kma_spare_attach() - store births of the objects in overflow buckets; all are unknown
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
 * kma_spare_reset() - make all buckets spare again, and move them to the depot
 *
 * Buckets beyond the number that kma_spare_add() adds at first are released. If memory to map
 * the remaining ones is refused, all stay.
 *
 * Context: process, may sleep; no chain is in use, no event is in progress.
 * Return: number of pages released.
 */
long kma_spare_reset(void);

/**
 * kma_spare_add() - add buckets to the depot
 *
 * Adds an eighth of all buckets, or one step if that is more, while the depot has less than a
 * quarter of a step. Else it adds an eighth of that number, to add little more than the
 * caller needs. In any case it adds twice the number that events took while the previous buckets
 * were added, if there is memory for so many: memory must be allocated and mapped, which on a busy
 * machine takes long enough for some CPUs to take thousands. Events may take the new buckets at
 * once, also while others use the old base.
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, -ENOSPC at the maximum, or -EAGAIN; see kma_area_grow().
 */
int kma_spare_add(void);

/**
 * kma_spare_withdraw() - withdraw the last buckets: steps 1 to 3
 * @keep: number of buckets that stay, a multiple of KMA_SPARE_BATCH in whole pages
 *
 * Context: process, may sleep, under cpus_read_lock(); kma_spare_settle() follows.
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
 * kma_spare_settle() - release the withdrawn buckets, or make them spare again: step 5
 * @release: false to make them spare again
 *
 * Context: process, may sleep, under cpus_read_lock().
 * Return: number of pages released; 0 if @release is false or some withdrawn buckets are still in
 * chains; -ENOMEM.
 */
long kma_spare_settle(bool release);

/**
 * kma_spare_pop() - take a spare bucket
 * @fetched: set to true if the CPU had none and fetched a batch from the depot, or found
 *	the depot empty. kma_spare_left() becomes less only in this case.
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
 * kma_spare_taken() - get the approximate number of buckets in chains
 *
 * The number counts whole batches, and each CPU that takes buckets reports two batches at a time.
 * The error is less than two batches for each such CPU, and does not depend on the
 * number of possible CPUs. kma_spare_used() is exact, and takes longer.
 *
 * Context: any.
 * Return: number of buckets.
 */
u32 kma_spare_taken(void);

/**
 * kma_spare_used() - get the current number of buckets in chains
 *
 * Reads the data of all possible CPUs.
 *
 * Return: number of buckets; not exact while other CPUs take or return batches.
 */
u32 kma_spare_used(void);

/**
 * kma_spare_kept() - get the number of buckets that kma_spare_withdraw() would leave with CPUs
 *
 * Reads the data of all possible CPUs.
 *
 * Return: upper bound of the current number.
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

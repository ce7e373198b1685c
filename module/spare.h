/* SPDX-License-Identifier: GPL-2.0 */
/*
 * spare.h - overflow buckets of the live map: those in chains, those to spare.
 *
 * A probe whose home bucket is full takes a spare bucket and cannot allocate
 * one. The spares wait in a lock-free stack; kma_spare_add(), called by the
 * worker, puts more there. A bucket is named by its index + 1, 0 is none; the
 * head of a spare one holds the next.
 *
 * The stack is R. K. Treiber's ("Systems programming: coping with parallelism",
 * 1986): the low half of its top names the first bucket, the high half changes
 * with each pop, so that a compare never succeeds on an old top.
 *
 * Locking: kma_spare_pop() and _push() may be called at any time, in any context
 * but NMI. The others are serialised by the caller.
 */
#ifndef KMA_SPARE_H
#define KMA_SPARE_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "bucket.h"

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
 * kma_spare_init() - no bucket yet
 * @max: how many there may be
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_spare_init(u32 max);

/**
 * kma_spare_deinit() - release all buckets; nobody may use them any more
 *
 * Context: process, may sleep.
 */
void kma_spare_deinit(void);

/**
 * kma_spare_reset() - all buckets are to spare again
 *
 * Context: process; no chain is in use.
 */
void kma_spare_reset(void);

/**
 * kma_spare_add() - make more buckets: an eighth more, 256 KiB at least
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENOSPC at the maximum.
 */
int kma_spare_add(void);

/**
 * kma_spare_pop() - take a spare bucket
 *
 * Return: its index + 1, or 0 if there is none.
 */
u32 kma_spare_pop(void);

/**
 * kma_spare_push() - give back a bucket
 * @bucket: its index + 1
 */
void kma_spare_push(u32 bucket);

/**
 * kma_spare_left() - number of buckets to spare, of about now
 *
 * Return: the number.
 */
u32 kma_spare_left(void);

/**
 * kma_spare_used() - number of buckets in chains, of about now
 *
 * Return: the number.
 */
u32 kma_spare_used(void);

/**
 * kma_spare_memory() - what all of them take
 * @buckets: set to the number of buckets
 * @max: set to how many there may be
 *
 * Return: bytes.
 */
size_t kma_spare_memory(unsigned long *buckets, unsigned long *max);

#endif /* KMA_SPARE_H */

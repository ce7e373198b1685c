/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bucket.h - ten live objects in one cache line.
 *
 * A bucket has 64 bytes: a head word and ten slots. A slot has a 32-bit tag and 16 bits, the
 * number of the object's class (class.h). The first slots are used. The head has the number of
 * used slots in its low bits and, above them, the name of the next bucket in the chain.
 *
 * The birth of the object in a slot is in a second array (birth.h). Code
 * that moves an object moves its birth as well.
 *
 * Locking: the head is the lock as well. It is taken by exchanging the head for
 * KMA_BUCKET_LOCKED, which is not a valid head, and released by storing the head back.
 * Only the holder of the lock knows the head. irqs are off while the lock is held.
 */
#ifndef KMA_BUCKET_H
#define KMA_BUCKET_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/processor.h>
#include <linux/types.h>

#define KMA_BUCKET_SLOTS	10
#define KMA_BUCKET_SHIFT	6	/* 64 bytes */
#define KMA_BUCKET_LOCKED	(~0u)
#define KMA_BUCKET_NEXT_SHIFT	4
#define KMA_BUCKET_COUNT	0xfu
#define KMA_BUCKET_NEXT_MAX	(~0u >> KMA_BUCKET_NEXT_SHIFT)

struct kma_bucket {
	u32 head;
	u32 tag[KMA_BUCKET_SLOTS];
	u16 class[KMA_BUCKET_SLOTS];
} __aligned(64);

/**
 * kma_bucket_lock() - try to lock a bucket
 * @b: the bucket
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket's head; KMA_BUCKET_LOCKED if another CPU has the lock.
 */
static __always_inline u32 kma_bucket_lock(struct kma_bucket *b)
{
	/* Pairs with the smp_store_release() in kma_bucket_unlock(). */
	return xchg_acquire(&b->head, KMA_BUCKET_LOCKED);
}

/**
 * kma_bucket_unlock() - unlock a bucket
 * @b: the bucket, locked by the caller
 * @head: head to store in the bucket
 */
static __always_inline void kma_bucket_unlock(struct kma_bucket *b, u32 head)
{
	/* Pairs with the xchg_acquire() in kma_bucket_lock(). */
	smp_store_release(&b->head, head);
}

/**
 * kma_bucket_lock_wait() - lock a bucket, and wait if another CPU has the lock
 * @b: the bucket; not a home bucket that may be joined to another one, because that one is
 *	never unlocked (live.h)
 *
 * Context: any but NMI, irqs off.
 * Return: the bucket's head.
 */
static inline u32 kma_bucket_lock_wait(struct kma_bucket *b)
{
	for (;;) {
		u32 head = kma_bucket_lock(b);

		if (head != KMA_BUCKET_LOCKED)
			return head;
		cpu_relax();
	}
}

/**
 * kma_bucket_head() - build a head
 * @count: number of slots in use
 * @next: index + 1 of the next bucket in the chain, or 0
 *
 * A head below KMA_BUCKET_SLOTS belongs to a bucket with a free slot and without a next bucket. A
 * head of KMA_BUCKET_SLOTS belongs to a full bucket without a next one. Both equal their count.
 *
 * Return: the head.
 */
static __always_inline u32 kma_bucket_head(u32 count, u32 next)
{
	return next << KMA_BUCKET_NEXT_SHIFT | count;
}

/**
 * kma_bucket_count() - get the number of slots in use
 * @head: a bucket's head
 *
 * Return: 0 to KMA_BUCKET_SLOTS.
 */
static __always_inline u32 kma_bucket_count(u32 head)
{
	return head & KMA_BUCKET_COUNT;
}

/**
 * kma_bucket_next() - get the next bucket in a chain
 * @head: a bucket's head
 *
 * Return: index + 1 of the next bucket, or 0.
 */
static __always_inline u32 kma_bucket_next(u32 head)
{
	return head >> KMA_BUCKET_NEXT_SHIFT;
}

/**
 * kma_bucket_set() - fill a slot
 * @b: the bucket
 * @i: the slot
 * @tag: tag of an object
 * @class: number of its class, or a part of a size (sized.h)
 */
static __always_inline void kma_bucket_set(struct kma_bucket *b,
					   unsigned long i, u32 tag, u16 class)
{
	b->tag[i] = tag;
	b->class[i] = class;
}

/**
 * kma_bucket_move() - copy a slot
 * @to: the bucket to fill
 * @i: slot of @to
 * @from: the bucket that has the object
 * @j: slot of @from
 */
static __always_inline void kma_bucket_move(struct kma_bucket *to, unsigned long i,
					    const struct kma_bucket *from, unsigned long j)
{
	kma_bucket_set(to, i, from->tag[j], from->class[j]);
}

/**
 * kma_bucket_search() - find the first slot of a bucket that has a tag
 * @b: the bucket
 * @tag: the tag
 *
 * Without a loop this takes two instructions for each slot instead of five.
 *
 * Return: the slot, which may be unused; KMA_BUCKET_SLOTS if none has the tag.
 */
static __always_inline u32 kma_bucket_search(const struct kma_bucket *b, u32 tag)
{
	BUILD_BUG_ON(KMA_BUCKET_SLOTS != 10);
	if (b->tag[0] == tag)
		return 0;
	if (b->tag[1] == tag)
		return 1;
	if (b->tag[2] == tag)
		return 2;
	if (b->tag[3] == tag)
		return 3;
	if (b->tag[4] == tag)
		return 4;
	if (b->tag[5] == tag)
		return 5;
	if (b->tag[6] == tag)
		return 6;
	if (b->tag[7] == tag)
		return 7;
	if (b->tag[8] == tag)
		return 8;
	if (b->tag[9] == tag)
		return 9;
	return KMA_BUCKET_SLOTS;
}

#endif /* KMA_BUCKET_H */

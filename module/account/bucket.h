/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bucket.h - ten live objects in one cache line.
 *
 * A head word and ten slots, each a 32-bit tag and 16 bits, the number of the object's
 * class (class.h): 64 bytes. The first slots are used. The head counts them in its low
 * bits and names, above, the bucket that follows in a chain.
 *
 * A map that keeps births (live.h) has buckets of four lines: the other three say of the
 * object in each slot when, where and how it was allocated. Who moves an object moves its
 * birth as well. The inline half of an event knows buckets of one line only; it has no
 * part in such a map.
 *
 * Locking: the head is the lock as well. It is taken by exchanging the head for
 * KMA_BUCKET_LOCKED, which no head can be, and released by storing it back: who
 * holds the lock, and nobody else, knows the head. irqs are off meanwhile.
 */
#ifndef KMA_BUCKET_H
#define KMA_BUCKET_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/processor.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/types.h>

#define KMA_BUCKET_SLOTS	10
#define KMA_BUCKET_SHIFT	6	/* 64 bytes */
#define KMA_BUCKET_BIRTH_SHIFT	2	/* four times as many with births */
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
 * struct kma_birth - an allocation, besides what the slot has
 * @ns: local_clock() then, or 0
 * @cpu: which CPU asked
 * @kind: enum kma_kind: by which function
 */
struct kma_birth {
	u64 ns;
	u16 cpu : 13;
	u16 kind : 3;
} __packed __aligned(2);

static_assert(KMA_BUCKET_SLOTS * sizeof(struct kma_birth) <=
	      (sizeof(struct kma_bucket) << KMA_BUCKET_BIRTH_SHIFT) -
	      sizeof(struct kma_bucket));

/* log2 of the bytes of a bucket: one line, or four; set by kma_live_init(). */
extern unsigned int kma_bucket_shift;

/**
 * kma_bucket_at() - a bucket of an array
 * @base: the array
 * @i: its number
 *
 * Return: the bucket.
 */
static __always_inline struct kma_bucket *kma_bucket_at(void *base, u32 i)
{
	return base + ((u64)i << kma_bucket_shift);
}

/**
 * kma_births_kept() - have buckets more than one line?
 *
 * Return: true if they have.
 */
static __always_inline bool kma_births_kept(void)
{
	return kma_bucket_shift != KMA_BUCKET_SHIFT;
}

/**
 * kma_birth_now() - what is to be known of an object that is allocated now
 * @kind: enum kma_kind: by which function
 *
 * Context: any, irqs off.
 * Return: the birth; it has no time unless births are kept.
 */
static __always_inline struct kma_birth kma_birth_now(unsigned int kind)
{
	return (struct kma_birth){
		.ns = kma_births_kept() ? local_clock() : 0,
		.cpu = smp_processor_id(), .kind = kind,
	};
}

/**
 * kma_birth_age() - time since a birth
 * @birth: the birth
 * @now: local_clock()
 *
 * Return: nanoseconds.
 */
static __always_inline u64 kma_birth_age(const struct kma_birth *birth, u64 now)
{
	return now > birth->ns ? now - birth->ns : 0;
}

/**
 * kma_bucket_birth() - the birth of the object in a slot
 * @b: the bucket, if births are kept
 * @i: the slot
 *
 * Return: the birth.
 */
static __always_inline struct kma_birth *
kma_bucket_birth(struct kma_bucket *b, unsigned long i)
{
	return (struct kma_birth *)(b + 1) + i;
}

/**
 * kma_bucket_lock() - try to lock a bucket
 * @b: the bucket
 *
 * Context: any but NMI, irqs off.
 * Return: its head; KMA_BUCKET_LOCKED if somebody else has it.
 */
static __always_inline u32 kma_bucket_lock(struct kma_bucket *b)
{
	/* Pairs with the smp_store_release() in kma_bucket_unlock(). */
	return xchg_acquire(&b->head, KMA_BUCKET_LOCKED);
}

/**
 * kma_bucket_unlock() - let go of a bucket
 * @b: the bucket, locked by the caller
 * @head: its head from now on
 */
static __always_inline void kma_bucket_unlock(struct kma_bucket *b, u32 head)
{
	/* Pairs with the xchg_acquire() in kma_bucket_lock(). */
	smp_store_release(&b->head, head);
}

/**
 * kma_bucket_lock_wait() - lock a bucket that will be unlocked
 * @b: the bucket
 *
 * Context: any but NMI, irqs off. Not for a home that may be joined to another (live.h).
 * Return: its head.
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
 * kma_bucket_head() - a head
 * @count: slots in use
 * @next: the bucket that follows, its index + 1, or 0
 *
 * A head below KMA_BUCKET_SLOTS has room; one up to it is of a bucket that no
 * other follows. Such a head is its count.
 *
 * Return: the head.
 */
static __always_inline u32 kma_bucket_head(u32 count, u32 next)
{
	return next << KMA_BUCKET_NEXT_SHIFT | count;
}

/**
 * kma_bucket_count() - number of slots in use
 * @head: a bucket's head
 *
 * Return: 0 to KMA_BUCKET_SLOTS.
 */
static __always_inline u32 kma_bucket_count(u32 head)
{
	return head & KMA_BUCKET_COUNT;
}

/**
 * kma_bucket_next() - the bucket that follows in a chain
 * @head: a bucket's head
 *
 * Return: its index + 1, or 0.
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
 * kma_bucket_move() - copy a slot, with its birth if births are kept
 * @to: the bucket to fill
 * @i: its slot
 * @from: where the object is
 * @j: in which slot
 */
static __always_inline void kma_bucket_move(struct kma_bucket *to,
					    unsigned long i,
					    struct kma_bucket *from,
					    unsigned long j)
{
	kma_bucket_set(to, i, from->tag[j], from->class[j]);
	if (kma_births_kept())
		*kma_bucket_birth(to, i) = *kma_bucket_birth(from, j);
}

#endif /* KMA_BUCKET_H */

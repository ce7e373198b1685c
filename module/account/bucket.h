/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bucket.h - six live objects in one cache line.
 *
 * A head word and six slots, each a 32-bit tag, 32 bits of sizes (size.h)
 * and a 16-bit site id: 64 bytes. The first slots are used. The head counts them
 * in its low bits and names, above, the bucket that follows in a chain.
 *
 * A map that keeps births (live.h) has buckets of two lines: the second one says
 * of the object in each slot when, where and how it was allocated. Who moves an
 * object moves its birth as well. The inline half of an event knows buckets of
 * one line only; it has no part in such a map.
 *
 * The 16 bits of a slot's site are its owner: an id has 14 bits, and the two bits above
 * it say by which function the object was allocated, while that is watched (errors.h).
 * Both are 0 of an object that was not watched. The inline half of an event takes the
 * owner for the id: it runs only while no slot has one of the two bits, which
 * dispatch.h sees to. Owners from KMA_SLOT_NO_SITE on are no sites, and are whole.
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
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "account/size.h"

#define KMA_BUCKET_SLOTS	6
#define KMA_BUCKET_SHIFT	6	/* 64 bytes */
#define KMA_BUCKET_LOCKED	(~0u)
#define KMA_BUCKET_NEXT_SHIFT	4
#define KMA_BUCKET_COUNT	0xfu
#define KMA_BUCKET_NEXT_MAX	(~0u >> KMA_BUCKET_NEXT_SHIFT)

struct kma_bucket {
	u32 head;
	u32 tag[KMA_BUCKET_SLOTS];
	struct kma_size size[KMA_BUCKET_SLOTS];
	u16 site[KMA_BUCKET_SLOTS];
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
	      sizeof(struct kma_bucket));

/**
 * enum kma_made - by which function an object was allocated
 * @KMA_MADE_UNWATCHED: not watched: the object is older than the switch
 * @KMA_MADE_KMALLOC: kmalloc() and its family
 * @KMA_MADE_CACHE: kmem_cache_alloc() and its family
 */
enum kma_made {
	KMA_MADE_UNWATCHED,
	KMA_MADE_KMALLOC,
	KMA_MADE_CACHE,
};

#define KMA_SLOT_SITE_BITS	14
#define KMA_SLOT_NO_SITE	(3u << KMA_SLOT_SITE_BITS)

/**
 * kma_slot_pack() - the owner of an object of a site
 * @site: id of the site
 * @made: by which function the object was allocated
 *
 * Return: what the slot of the object has as its site.
 */
static __always_inline u16 kma_slot_pack(unsigned int site, enum kma_made made)
{
	return site | made << KMA_SLOT_SITE_BITS;
}

/**
 * kma_slot_site() - the site of an owner
 * @owner: what a slot has as its site
 *
 * Return: the id, or the whole of an owner that is no site.
 */
static __always_inline u16 kma_slot_site(u16 owner)
{
	return owner < KMA_SLOT_NO_SITE ?
	       owner & ((1u << KMA_SLOT_SITE_BITS) - 1) : owner;
}

/**
 * kma_slot_made() - by which function the object of an owner was allocated
 * @owner: what a slot has as its site
 *
 * Return: the function; KMA_MADE_UNWATCHED also of an owner that is no site.
 */
static __always_inline enum kma_made kma_slot_made(u16 owner)
{
	return owner < KMA_SLOT_NO_SITE ?
	       owner >> KMA_SLOT_SITE_BITS : KMA_MADE_UNWATCHED;
}

/* log2 of the bytes of a bucket: one line, or two; set by kma_live_init(). */
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
 * kma_births_kept() - have buckets a second line?
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
 * @size: its sizes
 * @site: id of the site that allocated it, or its owner
 */
static __always_inline void kma_bucket_set(struct kma_bucket *b,
					   unsigned long i, u32 tag,
					   struct kma_size size, u16 site)
{
	b->tag[i] = tag;
	b->size[i].bytes = size.bytes;
	b->size[i].req = size.req;
	b->site[i] = site;
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
	kma_bucket_set(to, i, from->tag[j], from->size[j], from->site[j]);
	if (kma_births_kept())
		*kma_bucket_birth(to, i) = *kma_bucket_birth(from, j);
}

#endif /* KMA_BUCKET_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * birth.h - when, where and how each live object was allocated, if that is kept.
 *
 * A birth has ten bytes. The births of the ten slots of a bucket lie in two cache lines, and
 * the live map has an array of these lines beside each of its two arrays of buckets (array.h):
 * the births of bucket n are number n of the other array. The buckets do not change. So births
 * can be attached to a map, and detached from it, while events go on:
 *
 *  1. From now on no event takes the inline half of account.h, which knows nothing of births,
 *     and the last one has left it.
 *  2. The arrays are published. All births in them are 0, which means unknown. An event that
 *     puts an object writes 0, and one that moves an object moves its birth. An event that
 *     does not see the arrays yet does neither, which makes no difference: 0 goes in place
 *     of 0.
 *  3. When no such event is left, kma_births_on is set. From now on births are written and used.
 *
 * To detach them, kma_births_on is cleared. When no event is left that saw it set, nobody
 * uses a birth; the arrays are hidden. When no event is left that saw them, they are released.
 *
 * So the birth of an object that is older than step 3 is unknown, and stays so.
 *
 * An event must not check once that births exist and then use the arrays later: an array may
 * be hidden in between. Each access therefore reads the pointer again.
 *
 * Never done here: no lock, no allocation.
 *
 * Locking: a birth belongs to the slot, and is read and written under the lock of the chain.
 */
#ifndef KMA_BIRTH_H
#define KMA_BIRTH_H

#include <linux/compiler.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "account/bucket.h"

/**
 * struct kma_birth - time, CPU and kind of the allocation of an object
 * @ns: local_clock() at the allocation; 0 if the birth is unknown
 * @cpu: CPU that allocated the object
 * @kind: enum kma_kind of the allocating function
 */
struct kma_birth {
	u64 ns;
	u16 cpu : 13;
	u16 kind : 3;
} __packed __aligned(2);

/**
 * struct kma_births - the births of the slots of a bucket
 * @of: by slot
 */
struct kma_births {
	struct kma_birth of[KMA_BUCKET_SLOTS];
} __aligned(128);

/**
 * struct kma_birth_arrays - the births of all buckets
 * @homes: of home buckets, by number; NULL if births are not kept
 * @spares: of overflow buckets, by index; there if @homes is
 */
struct kma_birth_arrays {
	struct kma_births *homes;
	struct kma_births *spares;
};

extern struct kma_birth_arrays kma_birth_arrays;

/* Births are written and used; see above. */
extern bool kma_births_on;

/**
 * struct kma_birth_place - the bucket whose births are meant
 * @home: number of the home bucket of its chain
 * @next: its own index + 1 if it is an overflow bucket, or 0
 */
struct kma_birth_place {
	u32 home;
	u32 next;
};

/**
 * kma_births_kept() - test if births are kept
 *
 * Context: any.
 * Return: true if the arrays are published; they may be attached or detached at any time.
 */
static __always_inline bool kma_births_kept(void)
{
	return READ_ONCE(kma_birth_arrays.homes);
}

/**
 * kma_birth_at() - find the birth of the object in a slot
 * @at: the bucket, whose chain is locked
 * @slot: the slot
 *
 * Context: any but NMI, irqs off.
 * Return: the birth, or NULL if none are kept.
 */
static __always_inline struct kma_birth *kma_birth_at(struct kma_birth_place at, u32 slot)
{
	/* Pairs with the smp_store_release() in kma_area_map(), by the dependency. */
	struct kma_births *births = at.next ? READ_ONCE(kma_birth_arrays.spares) :
					      READ_ONCE(kma_birth_arrays.homes);

	return births ? &births[at.next ? at.next - 1 : at.home].of[slot] : NULL;
}

/**
 * kma_birth_get() - read a birth
 * @at: as kma_birth_at()
 * @slot: as kma_birth_at()
 *
 * Context: as kma_birth_at().
 * Return: the birth; zeros if none are kept.
 */
static __always_inline struct kma_birth kma_birth_get(struct kma_birth_place at, u32 slot)
{
	const struct kma_birth *birth = kma_birth_at(at, slot);

	return birth ? *birth : (struct kma_birth){};
}

/**
 * kma_birth_set() - write a birth, if births are kept
 * @at: as kma_birth_at()
 * @slot: as kma_birth_at()
 * @birth: what to write; NULL for unknown
 *
 * Context: as kma_birth_at().
 */
static __always_inline void kma_birth_set(struct kma_birth_place at, u32 slot,
					  const struct kma_birth *birth)
{
	struct kma_birth *to = kma_birth_at(at, slot);

	if (to)
		*to = birth ? *birth : (struct kma_birth){};
}

/**
 * kma_birth_move() - copy the birth of an object that moves to another slot
 * @to: new bucket of the object
 * @i: new slot of the object
 * @from: old bucket of the object
 * @j: old slot of the object
 *
 * Context: as kma_birth_at().
 */
static __always_inline void kma_birth_move(struct kma_birth_place to, u32 i,
					   struct kma_birth_place from, u32 j)
{
	const struct kma_birth birth = kma_birth_get(from, j);

	kma_birth_set(to, i, &birth);
}

/**
 * kma_birth_now() - build the birth of an object that is allocated now
 * @kind: enum kma_kind of the allocating function
 *
 * Context: any, irqs off.
 * Return: the birth; unknown unless births are used.
 */
static __always_inline struct kma_birth kma_birth_now(unsigned int kind)
{
	if (!READ_ONCE(kma_births_on))
		return (struct kma_birth){};
	return (struct kma_birth){
		.ns = local_clock() ?: 1, .cpu = smp_processor_id(), .kind = kind,
	};
}

/**
 * kma_birth_known() - test if a birth is known
 * @birth: the birth
 *
 * Return: true; false for an object that was allocated before births were kept.
 */
static __always_inline bool kma_birth_known(const struct kma_birth *birth)
{
	return birth->ns;
}

/**
 * kma_birth_age() - compute the time since a birth
 * @birth: the birth, which is known
 * @now: local_clock()
 *
 * Return: nanoseconds.
 */
static __always_inline u64 kma_birth_age(const struct kma_birth *birth, u64 now)
{
	return now > birth->ns ? now - birth->ns : 0;
}

#endif /* KMA_BIRTH_H */

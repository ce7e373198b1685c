/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * birth.h - the time, CPU and kind of each live object's allocation, if the map stores them.
 *
 * A birth has ten bytes. The births of the ten slots of a bucket take two cache lines. The live
 * map has two arrays of buckets, and an array of births for each (array.h): the births of
 * bucket n are element n of the other array. The buckets themselves do not change. Births
 * can therefore be attached to a map, and detached from it, while events go on:
 *
 *  1. From now on no event takes the inline half of account.h, which does not handle births. Wait
 *     until the last event has left it.
 *  2. Publish the arrays. All births in them are 0, which means unknown. An event that
 *     puts an object writes 0, and one that moves an object moves its birth. An event that
 *     does not see the arrays yet does neither, which has the same result: all births are 0.
 *  3. Wait until no such event is left, and set kma_births_on. From now on births are written and
 *     used.
 *
 * To detach births, clear kma_births_on. When no event is left that saw it set, no code
 * uses a birth: hide the arrays. When no event is left that saw the arrays, release them.
 *
 * The birth of an object that is older than step 3 is therefore unknown, and stays unknown.
 *
 * An event must not check once that births exist and then use the arrays later: an array may
 * be hidden in between. Each access therefore reads the pointer again.
 *
 * Never done here: locking or allocating.
 *
 * Locking: a birth belongs to its slot, and is read and written under the lock of the chain.
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
 * @homes: births of home buckets, by number; NULL if the map stores no births
 * @spares: births of overflow buckets, by index; not NULL if @homes is not
 */
struct kma_birth_arrays {
	struct kma_births *homes;
	struct kma_births *spares;
};

extern struct kma_birth_arrays kma_birth_arrays;

/* True from step 3 on: births are written and used. */
extern bool kma_births_on;

/**
 * struct kma_birth_place - identifies a bucket of a chain
 * @home: number of the chain's home bucket
 * @next: index + 1 of the bucket if it is an overflow bucket; 0 if it is the home bucket
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

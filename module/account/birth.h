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
 * An event does not look whether there are births and then use them: either array may be gone
 * by then. Each access looks for itself.
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
 * struct kma_birth - an allocation, besides what the slot has
 * @ns: local_clock() then; 0 if it is unknown
 * @cpu: which CPU asked
 * @kind: enum kma_kind: by which function
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
 * kma_births_kept() - are there births?
 *
 * Context: any.
 * Return: true if the arrays are there, about now.
 */
static __always_inline bool kma_births_kept(void)
{
	return READ_ONCE(kma_birth_arrays.homes);
}

/**
 * kma_birth_at() - the birth of the object in a slot
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
 * kma_birth_move() - the object of a slot goes to another one
 * @to: where it is from now on
 * @i: in which slot
 * @from: where it was
 * @j: in which slot
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
 * kma_birth_now() - what is to be known of an object that is allocated now
 * @kind: enum kma_kind: by which function
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
 * kma_birth_known() - is a birth known?
 * @birth: the birth
 *
 * Return: false for an object that is older than the births.
 */
static __always_inline bool kma_birth_known(const struct kma_birth *birth)
{
	return birth->ns;
}

/**
 * kma_birth_age() - time since a birth
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

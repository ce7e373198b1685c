/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * birth.h - the time, CPU and kind of each live object's allocation, if the map stores them.
 *
 * A birth has ten bytes. The arrays of the live map (live.h) have births in parts, which are made
 * when the first object with a birth is added. Births can therefore be switched on and off while
 * events go on:
 *
 *  1. From now on no event takes the inline half of account.h, which does not handle births. Wait
 *     until the last event has left it.
 *  2. Set kma_births_on. From now on births are written and used.
 *
 * To switch births off, clear kma_births_on. When no event is left that saw it set, no code makes
 * births: kma_live_detach() releases all of them. Only then may events take the inline half.
 *
 * The birth of an object that is older than step 2 is therefore unknown, and stays unknown.
 *
 * Locking: a birth is read and written under the lock of its object's address (live.h).
 */
#ifndef KMA_BIRTH_H
#define KMA_BIRTH_H

#include <linux/compiler.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/types.h>

/* Time, CPU and kind of an object's allocation. */
struct kma_birth {
	u64 ns;		/* local_clock(); 0 if the birth is unknown */
	u16 cpu : 13;
	u16 kind : 3;	/* enum kma_kind of the allocating function */
} __packed __aligned(2);

/* True from step 2 on: births are written and used. */
extern bool kma_births_on;

/* The birth of an object that is allocated now; unknown unless births are used. Irqs off. */
static __always_inline struct kma_birth kma_birth_now(unsigned int kind)
{
	if (!READ_ONCE(kma_births_on))
		return (struct kma_birth){};
	return (struct kma_birth){
		.ns = local_clock() ?: 1, .cpu = smp_processor_id(), .kind = kind,
	};
}

/* False for an object that was allocated before births were kept. */
static __always_inline bool kma_birth_known(const struct kma_birth *birth)
{
	return birth->ns;
}

/* Nanoseconds since a known birth; @now is local_clock(). */
static __always_inline u64 kma_birth_age(const struct kma_birth *birth, u64 now)
{
	return now > birth->ns ? now - birth->ns : 0;
}

#endif /* KMA_BIRTH_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcu_free.h - is a free the end of a kfree_rcu()?
 *
 * The account books an object of kfree_rcu() as freed when that is called (kprobe.h).
 * Its worker frees the object later, with an event where it calls kfree(). Such a free is
 * known by the function that calls: its name is asked for once, and the answer kept by
 * call site.
 *
 * Locking: none; a slot of the memo is 64 bits, a call site and the answer.
 */
#ifndef KMA_RCU_FREE_H
#define KMA_RCU_FREE_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/types.h>

#include "compat/rcu.h"

extern bool kma_rcu_free_on;

/**
 * kma_rcu_free_use() - may the worker of kfree_rcu() free what is booked as freed already?
 * @on: yes; from then on kma_rcu_free_used() says so
 *
 * Nothing is done on a kernel where the objects of kfree_rcu() end in kfree_bulk().
 *
 * Context: any.
 */
static inline void kma_rcu_free_use(bool on)
{
	if (!KMA_RCU_ENDS_IN_BULK)
		WRITE_ONCE(kma_rcu_free_on, on);
}

/**
 * kma_rcu_free_used() - is kma_rcu_free_ended() to be asked at a free?
 *
 * Context: any.
 * Return: what kma_rcu_free_use() was told last; false before. A kernel where the objects
 * of kfree_rcu() end in kfree_bulk() has no memo, and the compiler drops the question.
 */
static inline bool kma_rcu_free_used(void)
{
	return !KMA_RCU_ENDS_IN_BULK && kma_rcu_free_on;
}

/*
 * A name takes some thousand instructions: a call site, and in bit 0 the answer. The
 * log asks at each free.
 */
#define KMA_RCU_FREE_MEMO	1024
extern u64 kma_rcu_free_memo[KMA_RCU_FREE_MEMO];

static inline u64 *kma_rcu_free_slot(unsigned long call_site)
{
	return &kma_rcu_free_memo[hash_long(call_site, ilog2(KMA_RCU_FREE_MEMO))];
}

/**
 * kma_rcu_free_ask() - look at the name of the function, and keep the answer
 * @call_site: who frees
 *
 * Context: any but NMI, irqs off.
 * Return: as kma_rcu_free_ended().
 */
bool kma_rcu_free_ask(unsigned long call_site);

/**
 * kma_rcu_free_ended() - is a free the end of a kfree_rcu()?
 * @call_site: who frees
 *
 * Context: any but NMI, irqs off; if kma_rcu_free_used().
 * Return: true if the object was booked as freed before.
 */
static inline bool kma_rcu_free_ended(unsigned long call_site)
{
	u64 known = READ_ONCE(*kma_rcu_free_slot(call_site));

	if (unlikely((known ^ (u64)call_site << 1) > 1))
		return kma_rcu_free_ask(call_site);
	return known & 1;
}

#endif /* KMA_RCU_FREE_H */

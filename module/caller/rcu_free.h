/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rcu_free.h - recognises the free with which a kfree_rcu() ends.
 *
 * The account counts the object of a kfree_rcu() as freed when kfree_rcu() is called
 * (kprobe.h). A worker frees the object later; if it calls kfree(), that free has an event.
 * Such a free is recognised by the name of the calling function. The name is looked up once
 * for each call site in vmlinux, and the result is kept in a memo. A call site elsewhere is not
 * such a function: to look up a symbol of a module takes time for each symbol of that module.
 *
 * Locking: none; a slot of the memo is 64 bits: a call site and the result.
 */
#ifndef KMA_RCU_FREE_H
#define KMA_RCU_FREE_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/types.h>

#include "account/word.h"
#include "compat/rcu.h"

extern bool kma_rcu_free_on;

void kma_rcu_free_switch(bool on);

/*
 * Set whether objects of kfree_rcu() are counted as freed at its call, so that frees by its worker
 * must be recognised. Without effect on a kernel where they end in kfree_bulk(). Context: process,
 * may sleep.
 */
static inline void kma_rcu_free_use(bool on)
{
	if (!KMA_RCU_ENDS_IN_BULK)
		kma_rcu_free_switch(on);
}

/*
 * Must frees call kma_rcu_free_ended()? Constant false on a kernel where the objects of kfree_rcu()
 * end in kfree_bulk(): such a kernel has no memo.
 */
static inline bool kma_rcu_free_used(void)
{
	return !KMA_RCU_ENDS_IN_BULK && kma_rcu_free_on;
}

/*
 * A slot has a call site, and the result in bit 0. The memo is needed because looking up a
 * name takes some 3,000 instructions, and the event log checks each free.
 */
#define KMA_RCU_FREE_MEMO	1024
extern u64 kma_rcu_free_memo[KMA_RCU_FREE_MEMO];

static inline u64 *kma_rcu_free_slot(unsigned long call_site)
{
	return &kma_rcu_free_memo[hash_long(call_site, ilog2(KMA_RCU_FREE_MEMO))];
}

/* Look up the name of the function that frees, and keep the result. */
bool kma_rcu_free_ask(unsigned long call_site);

/*
 * Is this free the end of a kfree_rcu(), whose object was counted as freed before? Any context but
 * NMI, irqs off; if kma_rcu_free_used().
 */
static inline bool kma_rcu_free_ended(unsigned long call_site)
{
	u64 known = kma_word_get(kma_rcu_free_slot(call_site));

	if (unlikely((known ^ (u64)call_site << 1) > 1))
		return kma_rcu_free_ask(call_site);
	return known & 1;
}

#endif /* KMA_RCU_FREE_H */

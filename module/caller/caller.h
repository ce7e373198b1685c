/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.h - the site of an allocation, when the call site alone will not do.
 *
 * wrappers	A call site within one of these functions is that of all who use
 *		it, and of no interest. The event is booked to the first function
 *		outwards that is none of them. Only such events have their stack
 *		walked over; for the others it costs a look into a memo.
 * stacks	Events of one call site are told apart by who called it: the
 *		stack of each is walked over, and is its site (path.h).
 *
 * Where the walk does not find the call site on the stack, or finds nobody
 * beyond the wrappers, the event is booked to its own call site, and counted.
 *
 * A free is booked to the site of its object. Frees of unknown objects have no
 * stack: they are booked to the call site that freed them.
 *
 * Never done here: no table; frame.h, stack.h and path.h have them.
 *
 * Locking: none of its own; irqs are off.
 */
#ifndef KMA_CALLER_H
#define KMA_CALLER_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "account/account.h"

extern bool kma_caller_on;

/**
 * kma_caller_wanted() - is the call site alone not enough?
 *
 * Context: any.
 * Return: true if kma_caller_site() is to be called.
 */
static __always_inline bool kma_caller_wanted(void)
{
	/* Pairs with the smp_store_release() in kma_caller_use(). */
	return smp_load_acquire(&kma_caller_on);
}

/**
 * kma_caller_use() - say whether the call site alone is enough
 * @on: false if it is; else frame.h, stack.h and path.h are ready
 *
 * Context: process. Events that are under way may still use the old answer.
 */
void kma_caller_use(bool on);

/**
 * kma_caller_reset() - forget what was counted
 *
 * Context: process. No probe may run meanwhile.
 */
void kma_caller_reset(void);

/**
 * kma_caller_site() - the site of an allocation
 * @e: the event
 *
 * Context: any but NMI, irqs off, within the event's tracepoint or kprobe.
 * Return: the id.
 */
unsigned int kma_caller_site(const struct kma_event *e);

/**
 * kma_caller_missed() - events whose caller was not found on the stack
 *
 * Context: any.
 * Return: the sum over all CPUs since the last reset.
 */
u64 kma_caller_missed(void);

#endif /* KMA_CALLER_H */

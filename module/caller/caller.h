/* SPDX-License-Identifier: GPL-2.0 */
/*
 * caller.h - the site of an allocation, when the call site alone will not do.
 *
 * wrappers=	A call site within one of these functions is that of all who use
 *		it, and of no interest. The event is booked to the first function
 *		outwards that is none of them. Only such events have their stack
 *		walked over; for the others it costs a look into a memo.
 * stack_depth=	Events of one call site are told apart by who called it: the
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

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/account.h"

extern bool kma_caller_on;

/**
 * kma_caller_wanted() - will the call site alone not do?
 *
 * Context: any. It does not change while the module is loaded.
 * Return: true if kma_caller_site() is to be asked.
 */
static __always_inline bool kma_caller_wanted(void)
{
	return kma_caller_on;
}

/**
 * kma_caller_init() - say that it will not
 * @on: that it is so; paths are as deep as kma_path_init() was told
 *
 * Context: process.
 */
void kma_caller_init(bool on);

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

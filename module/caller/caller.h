/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.h - the site of an allocation, when the call site alone is not enough.
 *
 * wrappers	A call site in a wrapper function is the same for all callers of the
 *		wrapper, so the event is charged to the first function outwards
 *		that is not a wrapper. The stack is walked for such events only; other
 *		events cost a search in the memo of frame.h.
 * stacks	Events of one call site are distinguished by their callers: the stack of
 *		each event, or of one event in N (sample.h), is walked, and is the site of
 *		the event (path.h).
 *
 * If the walk does not find the call site on the stack, or finds no function outside of the
 * wrappers, the event is charged to its own call site, and counted as missed.
 *
 * A free is charged to the site of its object. A free of an unknown object has no stack: it
 * is charged to the call site that freed the object.
 *
 * The tables are in frame.h, stack.h and path.h.
 *
 * Locking: none; interrupts are off.
 */
#ifndef KMA_CALLER_H
#define KMA_CALLER_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include "account/account.h"

extern bool kma_caller_on;

/* Is a site more than a call site, so that events must call kma_caller_site()? */
static __always_inline bool kma_caller_wanted(void)
{
	/* Pairs with the smp_store_release() in kma_caller_use(). */
	return smp_load_acquire(&kma_caller_on);
}

/*
 * Set whether it is; if so, frame.h, stack.h and path.h are initialised. Context: process; events
 * in progress may still use the old value.
 */
void kma_caller_use(bool on);

/* Set the number of missed callers to 0. No probe runs. */
void kma_caller_reset(void);

/*
 * The id of the site of an allocation. @from is as kma_stack_find() takes it. Context: any but NMI,
 * irqs off, within the event's tracepoint or kprobe.
 */
unsigned int kma_caller_site(const struct kma_event *e, const unsigned long *from);

/* The same for an allocation that kma_sample_due() has counted. */
unsigned int kma_caller_counted(const struct kma_event *e);

/* Events whose caller was not found on the stack, since the last reset. */
u64 kma_caller_missed(void);

#endif /* KMA_CALLER_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobe.h - allocations and frees for which the kernel has no event.
 *
 * kmem_cache_alloc_bulk() and kmem_cache_free_bulk() have no tracepoint. kfree_bulk() and
 * kfree_rcu() free through the latter. kmalloc_nolock() and kfree_nolock() of newer kernels
 * have no tracepoint either. All these functions are exported. A kprobe on the first
 * instruction of each, and one on the return of those that allocate, sees every call. The
 * calls are much rarer than single allocations, so the cost of a kprobe matters little. On
 * kernels with sheaves (7.2) kfree_rcu() frees on another path; there its start is probed,
 * in kvfree_call_rcu().
 *
 * The kernel skips a kprobe that fires while the same CPU handles another kprobe, and counts
 * it. The objects of such a call are unknown in number. The call is counted among the
 * "events not recorded".
 *
 * If the kernel has no kprobes, or a function cannot be probed, a line in the kernel log
 * says so. Objects that such functions allocate and free then appear as implied frees and as
 * frees of unknown objects.
 *
 * Contexts: process, may sleep, unless stated. kma_untraced_complete() and _settle() are serialised
 * with kma_untraced_register().
 */
#ifndef KMA_UNTRACED_H
#define KMA_UNTRACED_H

#include <linux/types.h>

#include "source/tracepoint.h"

/* Add a user, and attach the kprobes, which all users share, for the first one. */
void kma_untraced_register(enum kma_audience who);

/*
 * Remove a user; after the last, detach the kprobes and wait for running handlers. Without effect
 * for a user that was not added.
 */
void kma_untraced_unregister(enum kma_audience who);

/*
 * Is each slab allocation seen or counted as missed, because all kprobes on functions that allocate
 * from slabs are attached?
 */
bool kma_untraced_complete(void);

/* Calls whose kprobe the kernel has skipped since the kprobes were attached. Any context. */
unsigned long kma_untraced_missed(void);

/*
 * Has the kernel a function of this name, as in kallsyms or in the source, on which kprobes may be
 * put? Functions of loaded modules count. Without kprobes every name is accepted.
 */
bool kma_untraced_names(const char *name);

/* Add the skipped calls to the account. */
void kma_untraced_settle(void);

#endif /* KMA_UNTRACED_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kprobe.h - allocations and frees for which the kernel has no event.
 *
 * kmem_cache_alloc_bulk(), kmem_cache_free_bulk() and, through it, kfree_bulk()
 * and kfree_rcu() tell no tracepoint, nor do kmalloc_nolock() and kfree_nolock()
 * of newer kernels. They are exported functions: kprobes on their first
 * instruction, and on the return of those that allocate, see every call. They
 * are far rarer than single allocations, so what a kprobe costs matters little.
 * On kernels with sheaves (7.2) kfree_rcu() ends elsewhere and is seen where it
 * begins, in kvfree_call_rcu().
 *
 * A kprobe that fires while another one is being handled on the same CPU is
 * skipped by the kernel, and counted; those calls, with their unknown number of
 * objects, are "events not recorded".
 *
 * A kernel without kprobes, or whose function of that name cannot be probed,
 * is accounted without them: a line in the log says so, and the objects are
 * implied frees and frees of unknown objects, as without this file.
 */
#ifndef KMA_UNTRACED_H
#define KMA_UNTRACED_H

#include <linux/types.h>

#include "source/tracepoint.h"

/**
 * kma_untraced_register() - attach the kprobes that can be attached
 * @who: for whom; they are the same for all
 *
 * Context: process, may sleep.
 */
void kma_untraced_register(enum kma_audience who);

/**
 * kma_untraced_unregister() - detach them and wait until none runs, if nobody is left
 * @who: for whom they were attached, or not
 *
 * Context: process, may sleep.
 */
void kma_untraced_unregister(enum kma_audience who);

/**
 * kma_untraced_complete() - is each allocation of a slab seen, or counted as missed?
 *
 * Context: process; serialised with kma_untraced_register().
 * Return: true if all kprobes on functions that allocate from slabs are attached.
 */
bool kma_untraced_complete(void);

/**
 * kma_untraced_missed() - calls that were skipped while another kprobe was handled
 *
 * Context: any.
 * Return: their number since the kprobes were attached.
 */
unsigned long kma_untraced_missed(void);

/**
 * kma_untraced_names() - is this the name of a function?
 * @name: the name, as kallsyms or the source have it
 *
 * Modules that are loaded count. Without kprobes any name is taken for one.
 *
 * Context: process, may sleep.
 * Return: true if the kernel has such a function, and kprobes may be put on it.
 */
bool kma_untraced_names(const char *name);

/**
 * kma_untraced_settle() - tell the account of calls that were skipped
 *
 * Context: process; serialised with the two above.
 */
void kma_untraced_settle(void);

#endif /* KMA_UNTRACED_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.h - the tracepoints, and what of their events the account is told.
 *
 * Nothing else in the module knows a tracepoint.
 */
#ifndef KMA_PROBE_H
#define KMA_PROBE_H

#include <linux/types.h>

struct task_struct;

/**
 * enum kma_audience - for whom events are probed
 * @KMA_FOR_ACCOUNT: for the account
 * @KMA_FOR_LOG: for the log (relay.h)
 * @KMA_NR_AUDIENCES: number of audiences
 */
enum kma_audience {
	KMA_FOR_ACCOUNT,
	KMA_FOR_LOG,
	KMA_NR_AUDIENCES,
};

/**
 * kma_probe_register() - attach the probes that parameter events asks for, frees
 *	before allocations
 * @who: for whom; not for the same one twice
 * @untraced: where an event comes too late, use what is not an event
 *
 * Context: process, may sleep.
 * Return: 0, or the error of the first tracepoint that refused; no probe is
 * attached then.
 */
int kma_probe_register(enum kma_audience who, bool untraced);

/**
 * kma_probe_unregister() - detach the probes and wait until none runs
 * @who: for whom they were attached, or not
 *
 * Context: process, may sleep.
 */
void kma_probe_unregister(enum kma_audience who);

/**
 * kma_probe_latency() - which waits (latency.h) the kernel has events of
 *
 * Context: any.
 * Return: bit 1 << kind for each, of enum kma_wait.
 */
unsigned int kma_probe_latency(void);

/**
 * kma_probe_latency_register() - attach the probes that time them
 *
 * Context: process, may sleep; not twice.
 * Return: 0, or the error of the first tracepoint that refused; no probe is
 * attached then.
 */
int kma_probe_latency_register(void);

/**
 * kma_probe_latency_unregister() - detach them and wait until none runs
 *
 * Context: process, may sleep.
 */
void kma_probe_latency_unregister(void);

/**
 * kma_probe_oom_register() - attach the probe of OOM kills
 * @told: is told each victim; NULL if the kernel has no task of its number any more. Any
 *	context but NMI, locks may be held, under rcu_read_lock().
 *
 * Context: process, may sleep; not twice.
 * Return: 0, or the error of the tracepoint; no probe is attached then.
 */
int kma_probe_oom_register(void (*told)(struct task_struct *victim));

/**
 * kma_probe_oom_unregister() - detach it and wait until it does not run
 *
 * Context: process, may sleep.
 */
void kma_probe_oom_unregister(void);

/**
 * kma_probe_entry_attach() - let frees by kmem_cache_free() be checked (errors.h)
 *
 * Where that cannot be, a line in the kernel log says so.
 *
 * Context: process, may sleep; after kma_probe_register() for the account.
 */
void kma_probe_entry_attach(void);

/**
 * kma_probe_entry_detach() - end that, and wait until no check is under way
 *
 * Context: process, may sleep.
 */
void kma_probe_entry_detach(void);

/**
 * kma_probe_synchronize() - wait until no probe runs that was running now
 *
 * Context: process, may sleep.
 */
void kma_probe_synchronize(void);

#endif /* KMA_PROBE_H */

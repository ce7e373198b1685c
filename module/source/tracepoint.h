/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.h - probes on the tracepoints of the kernel.
 *
 * Only this file and the self-test use tracepoints. The probes pass the events to the
 * account and to the event log.
 */
#ifndef KMA_PROBE_H
#define KMA_PROBE_H

#include <linux/types.h>

struct task_struct;
struct tracepoint;

/**
 * enum kma_audience - the users of events
 * @KMA_FOR_ACCOUNT: the account
 * @KMA_FOR_LOG: the event log (relay.h)
 * @KMA_NR_AUDIENCES: number of users
 */
enum kma_audience {
	KMA_FOR_ACCOUNT,
	KMA_FOR_LOG,
	KMA_NR_AUDIENCES,
};

/*
 * Search a tracepoint, which may not be exported, by name.
 * Context: process, may sleep.
 * Return: the tracepoint; NULL if this kernel has none of the name.
 */
struct tracepoint *kma_probe_find(const char *event);

/**
 * kma_probe_register() - attach the probes of a user for the events of parameter events, the
 *	probes of frees before those of allocations
 * @who: the user, which has no probes attached
 * @untraced: use the callback of late.h where the kernel has a late event
 *
 * Context: process, may sleep.
 * Return: 0; or the error of the first tracepoint that refused, with no probe attached.
 */
int kma_probe_register(enum kma_audience who, bool untraced);

/**
 * kma_probe_unregister() - detach the probes of a user and wait until none runs
 * @who: the user; one without probes has no effect
 *
 * Context: process, may sleep.
 */
void kma_probe_unregister(enum kma_audience who);

/*
 * Get the kinds of waits (latency.h) that the kernel has events for.
 * Context: any.
 * Return: bit 1 << kind for each kind of enum kma_wait that has events.
 */
unsigned int kma_probe_latency(void);

/*
 * Attach the probes that time waits.
 * Context: process, may sleep; these probes are not attached.
 * Return: 0; or the error of the first tracepoint that refused, with no probe attached.
 */
int kma_probe_latency_register(void);

/* Detach the probes that time waits, and wait until none runs. Context: process, may sleep. */
void kma_probe_latency_unregister(void);

/**
 * kma_probe_oom_register() - attach the probe of OOM kills
 * @report: called with each victim; NULL if the kernel no longer has a task of that number.
 *	Called in any context but NMI, under rcu_read_lock(); locks may be held.
 *
 * Context: process, may sleep; the probe is not attached.
 * Return: 0; or the error of the tracepoint, with no probe attached.
 */
int kma_probe_oom_register(void (*report)(struct task_struct *victim));

/* Detach the probe of OOM kills and wait until it does not run. Context: process, may sleep. */
void kma_probe_oom_unregister(void);

/*
 * Attach the check of frees by kmem_cache_free() (errors.h). If the check cannot be attached, a
 * line in the kernel log says so.
 * Context: process, may sleep; after kma_probe_register() for the account.
 */
void kma_probe_entry_attach(void);

/* Detach the check of kmem_cache_free(), and wait until none runs. Context: process, may sleep. */
void kma_probe_entry_detach(void);

/* Wait for the probes that are running now. Context: process, may sleep. */
void kma_probe_synchronize(void);

#endif /* KMA_PROBE_H */

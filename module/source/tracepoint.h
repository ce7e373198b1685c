/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracepoint.h - probes on the tracepoints of the kernel.
 *
 * Only this file and the self-test use tracepoints. The probes pass the events to the
 * account and to the event log.
 *
 * Contexts: process, may sleep, unless stated. What detaches probes waits until none of them runs.
 */
#ifndef KMA_PROBE_H
#define KMA_PROBE_H

#include <linux/types.h>

struct task_struct;
struct tracepoint;

/* The users of events. */
enum kma_audience {
	KMA_FOR_ACCOUNT,
	KMA_FOR_LOG,
	KMA_NR_AUDIENCES,
};

/* Search a tracepoint, which may not be exported, by name. NULL if this kernel has none. */
struct tracepoint *kma_probe_find(const char *event);

/*
 * Attach the probes of a user, which has none, for the events of parameter events, those of frees
 * before those of allocations. @untraced: use the callback of late.h where the kernel has a late
 * event. Returns 0; or the error of the first tracepoint that refused, with no probe attached.
 */
int kma_probe_register(enum kma_audience who, bool untraced);

/* Without effect for a user without probes. */
void kma_probe_unregister(enum kma_audience who);

/* Bit 1 << kind for each enum kma_wait that this kernel has events for. Any context. */
unsigned int kma_probe_latency(void);

/*
 * Attach the probes that time waits. Returns 0; or the error of the first tracepoint that refused,
 * with no probe attached.
 */
int kma_probe_latency_register(void);
void kma_probe_latency_unregister(void);

/*
 * Attach the probe of OOM kills. @report is called with each victim; NULL if the kernel no longer
 * has a task of that number. In any context but NMI, under rcu_read_lock(); locks may be held.
 * Returns 0; or the error of the tracepoint, with no probe attached.
 */
int kma_probe_oom_register(void (*report)(struct task_struct *victim));
void kma_probe_oom_unregister(void);

/*
 * Attach the check of frees by kmem_cache_free() (errors.h), after kma_probe_register() for the
 * account. If the check cannot be attached, a line in the kernel log says so.
 */
void kma_probe_entry_attach(void);
void kma_probe_entry_detach(void);

/* Wait for the probes that are running now. */
void kma_probe_synchronize(void);

#endif /* KMA_PROBE_H */

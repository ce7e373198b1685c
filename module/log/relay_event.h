/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relay_event.h - from an event to its record: the gate of the event log, and the bodies of
 * the log's probes.
 *
 * While the log is on, the trace events have separate probes for it (tracepoint.c), so
 * those of the account cost the same with and without a log. Kprobes and hooks, for calls
 * without an event, test a static key. An event becomes one record (record.h) in the stream
 * of its CPU. If the buffer is full, the event is lost as a whole, and counted.
 *
 * Loading or unloading a module is a record on the CPU where it happens. It may be lost like
 * an event.
 *
 * The gate: probes, kprobes and hooks are attached one after the other. If each recorded
 * events from its own attachment on, the log would have frees of objects whose allocations
 * it missed, which look like double frees. So the log has one gate for all CPUs, and events
 * are recorded only while it is open. relay.c opens and closes the gate:
 *
 *  log on   attach all; wait until each call that began before has ended; open the gate
 *  log off  close the gate; wait until no event is being recorded; write the ENDs;
 *	     detach all
 *
 * The gate is the value of kma_relay_text, the base address of call sites, which each event
 * reads anyway. While the gate is closed, no call site is near this value. So the test for a
 * short record fails, and the out-of-line path tests the gate. An open gate therefore costs
 * no instruction (on 64 bits).
 *
 * One store opens or closes the gate. An event reads the gate while no other task has its
 * object: after the allocation and before it returns, or before the free. A later owner of
 * the object synchronises with the previous one, and so does not see an older state of the
 * gate. So the log has the events of each object without gaps, except for events that are
 * counted as lost, refused or missed.
 *
 * Limit: a task may sleep in kmem_cache_alloc_bulk(), waiting for memory, from before its
 * kretprobe is attached until after the gate has opened. The log does not have the objects
 * of that call.
 *
 * Never done while an event is logged: allocating, sleeping, printing, taking a lock,
 * waking a task (relay queues an irq_work for that).
 *
 * Locking: none. A stream is written by its CPU alone, with interrupts off and the gate seen
 * open since. relay.h says who writes the stream after the gate is closed.
 */
#ifndef KMA_RELAY_EVENT_H
#define KMA_RELAY_EVENT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/account.h"
#include "caller/rcu_free.h"
#include "log/record.h"

struct module;

#ifdef CONFIG_RELAY

#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/numa.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "log/clock.h"

/* The base address of call sites, or KMA_RELAY_CLOSED: the gate. */
extern unsigned long kma_relay_text;
/* On while a log is on; its gate may be closed. */
DECLARE_STATIC_KEY_FALSE(kma_relay_key);
DECLARE_PER_CPU_ALIGNED(struct kma_stream, kma_streams);

/*
 * The value of kma_relay_text while the gate is closed: more than 2 GiB away from each
 * address of code. On 32 bits there is no such address, so the probes compare the value.
 */
#define KMA_RELAY_CLOSED \
	(BITS_PER_LONG == 64 ? 1ul << (BITS_PER_LONG - 2) : ~0ul)

/*
 * Record that a module is loaded, live or unloaded, from a module notifier with its MODULE_STATE_*.
 */
void kma_relay_module(struct module *mod, unsigned long state);

/* Log an event of a kprobe or a hook. Any context. NMI is counted as refused. */
void kma_relay_alloc_event(const struct kma_event *e);
void kma_relay_free_event(const struct kma_event *e);

/*
 * Log 2^@order pages; @pfn is ~0 if the allocation failed. For a free, @call_site is 0 and @kind is
 * KMA_LOG_PAGE; else the kind is by the user of the pages. @quiet: the pages may have been logged
 * before. Any context but NMI, irqs off.
 */
void kma_relay_pages(unsigned long pfn, unsigned int order, unsigned long call_site,
		     enum kma_log_kind kind, bool quiet);

/* Is a log on? Its gate may be closed. */
static __always_inline bool kma_relay_wanted(void)
{
	return static_branch_unlikely(&kma_relay_key);
}

/*
 * Check whether the gate is closed. On 64 bits the test of the call site also tests the gate,
 * so this function is constant. @base: kma_relay_text, read with interrupts off
 */
static __always_inline bool kma_relay_closed_short(unsigned long base)
{
	return BITS_PER_LONG != 64 && base == KMA_RELAY_CLOSED;
}

/*
 * The out-of-line paths of the probes. They handle the whole event from its start. @flags are
 * the kind and the node, as in the record.
 */
void kma_relay_alloc_slow(unsigned long call_site, const void *ptr, size_t req,
			  size_t bytes, u32 gfp, unsigned int flags);
void kma_relay_free_slow(unsigned long call_site, const void *ptr, enum kma_log_kind kind);

/* @kind; or KMA_LOG_LARGE for a kmalloc() that may have two events (KMA_LARGE_TWICE). */
static __always_inline enum kma_log_kind
kma_relay_alloc_kind(enum kma_log_kind kind, size_t bytes)
{
	if (KMA_LARGE_TWICE && kind == KMA_LOG_KMALLOC && bytes > KMALLOC_MAX_CACHE_SIZE)
		return KMA_LOG_LARGE;
	return kind;
}

/*
 * The body of a probe; @ptr is NULL if the allocation failed. Any context. NMI is counted as
 * refused.
 */
static __always_inline void
kma_relay_alloc(unsigned long call_site, const void *ptr, size_t req,
		size_t bytes, u32 gfp, int node, enum kma_log_kind kind)
{
	struct kma_record_event e = {
		.site = call_site, .ptr = (unsigned long)ptr, .req = req,
		.bytes = bytes, .gfp = gfp, .node = node, .kind = kind,
	};
	unsigned long irqs;
	u64 now;

	if (unlikely(in_nmi()) || !kma_clock_is_counter())
		goto slow;
	local_irq_save(irqs);
	/* Read the gate first, so that no time is earlier than that of the START. */
	e.base = READ_ONCE(kma_relay_text);
	now = kma_counter();
	e.tid = current->pid;
	if (likely(!kma_relay_closed_short(e.base) &&
		   kma_record_alloc_short(this_cpu_ptr(&kma_streams), &e, now))) {
		local_irq_restore(irqs);
		return;
	}
	/* Keeps the compiler from testing for the common case twice. */
	OPTIMIZER_HIDE_VAR(irqs);
	local_irq_restore(irqs);
slow:
	kma_relay_alloc_slow(call_site, ptr, req, bytes, gfp, kma_record_flags(&e));
}

/*
 * The body of a probe; NULL and ZERO_SIZE_PTR are ignored. Any context. NMI is counted as refused.
 */
static __always_inline void
kma_relay_free_of(unsigned long call_site, const void *ptr, enum kma_log_kind kind)
{
	struct kma_record_event e = {
		.site = call_site, .ptr = (unsigned long)ptr,
		.node = NUMA_NO_NODE, .kind = kind,
	};
	unsigned long irqs;
	u64 now;

	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return;
	if (unlikely(in_nmi()) || !kma_clock_is_counter())
		goto slow;
	local_irq_save(irqs);
	e.base = READ_ONCE(kma_relay_text);
	now = kma_counter();
	if (unlikely(kma_rcu_free_used()) && kma_rcu_free_ended(call_site))
		e.quiet = true;
	e.tid = current->pid;
	if (likely(!kma_relay_closed_short(e.base) &&
		   kma_record_free_short(this_cpu_ptr(&kma_streams), &e, now))) {
		local_irq_restore(irqs);
		return;
	}
	/* Keeps the compiler from testing for the common case twice. */
	OPTIMIZER_HIDE_VAR(irqs);
	local_irq_restore(irqs);
slow:
	kma_relay_free_slow(call_site, ptr, kind);
}

#else /* no relay in this kernel */

static inline void kma_relay_module(struct module *mod, unsigned long state) { }
static inline void kma_relay_alloc_event(const struct kma_event *e) { }
static inline void kma_relay_free_event(const struct kma_event *e) { }
static inline void kma_relay_pages(unsigned long pfn, unsigned int order, unsigned long call_site,
				   enum kma_log_kind kind, bool quiet)
{
}

static inline bool kma_relay_wanted(void)
{
	return false;
}

#endif /* CONFIG_RELAY */

#endif /* KMA_RELAY_EVENT_H */

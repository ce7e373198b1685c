/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relay.h - every event, through relay channels to whoever reads them.
 *
 * The log is another reader of the same events, beside the account or instead of
 * it. While it is on, the trace events have probes of its own (tracepoint.c), so that the
 * account's cost nothing more, whether there is a log or not. What has no event, and
 * is told by kprobes and hooks, asks a static key. An event becomes one record
 * (record.h) in the buffer of its CPU; if that is full the event is lost as a whole,
 * and counted.
 *
 * Files, below debugfs' kmem_account/trace/, from the first "log on" on:
 *  header     what comes before the streams: the machine, and its modules
 *  cpuN       the stream of a CPU; what was read is gone
 *  overruns   what was lost, by CPU
 *
 * Relay has the buffers, the order in which they are filled, and new CPUs. Reading is
 * ours: its own read() may give the bytes of a record that is not written yet, and
 * may skip a sub-buffer in the moment in which the last one gets full. Here only
 * whole sub-buffers are given.
 *
 * A module that comes or goes is a record on the CPU where it does. It may be lost as
 * an event may.
 *
 * The gate: probes, kprobes and hooks are attached one after the other. A log of what
 * each of them saw from its own attaching on would have frees of objects whose
 * allocations it missed, which look like double frees. So the log has one gate for all
 * CPUs, and events are recorded only while it is open:
 *
 *  log on   attach all; wait until each call that began before has ended; open the gate
 *  log off  close the gate; wait until no event is being recorded; write the ENDs;
 *	     detach all
 *
 * The gate is the value of kma_relay_text, which each event reads anyway: while it is
 * closed no call site is near it, so that the test for a short record fails, and the
 * other way asks. So an open gate costs no instruction (on 64 bits).
 *
 * Opening and closing is one store. An event reads the gate while nobody else has its
 * object: after the allocation and before it returns, or before the free. Who gets the
 * object later synchronises with who had it, and so does not see an older gate. So of
 * the events of one object the log has a series without gaps, but for those that are
 * counted as lost, refused or missed.
 *
 * What the gate cannot see: a task that sleeps within kmem_cache_alloc_bulk(), waiting
 * for memory, since before its kretprobe was attached until after the gate has opened.
 * The log does not have what that call allocates.
 *
 * Never done while an event is logged: allocating, sleeping, printing, taking a lock,
 * waking a task (relay queues an irq_work for that).
 *
 * Locking:
 *  kma_control_lock  (control.c) start, open, shut, seal, stop, flush, free
 *  a stream          its CPU alone, irqs off, the gate seen open since they are; when
 *                    the gate is closed, seal; when that is done, the reader of its
 *                    file
 *  a file's inode    one reader at a time
 *  Sub-buffers       the CPU makes them ready (@ready of its stream, with release);
 *                    the reader gives them back (relay_subbufs_consumed())
 */
#ifndef KMA_RELAY_H
#define KMA_RELAY_H

#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/types.h>

#include "account/account.h"
#include "caller/rcu_free.h"
#include "log/record.h"

struct dentry;
struct module;

/**
 * struct kma_log_sources - what the log asks of the sources of its events
 * @wait: returns when no event is under way that began before
 * @settle: calls kma_relay_missed() with what kprobes have missed until now
 */
struct kma_log_sources {
	void (*wait)(void);
	void (*settle)(void);
};

#ifdef CONFIG_RELAY

#include <linux/irqflags.h>
#include <linux/jump_label.h>
#include <linux/numa.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "log/clock.h"

/* Parameters; taken at the next start. */
extern unsigned int kma_relay_subbufs;
extern unsigned int kma_relay_subbuf_size;

extern unsigned long kma_relay_text;
DECLARE_STATIC_KEY_FALSE(kma_relay_key);
DECLARE_PER_CPU_ALIGNED(struct kma_stream, kma_streams);

/*
 * kma_relay_text while the gate is closed: more than 2 GiB away from each address of
 * code. On 32 bits nothing is, and the probes compare.
 */
#define KMA_RELAY_CLOSED \
	(BITS_PER_LONG == 64 ? 1ul << (BITS_PER_LONG - 2) : ~0ul)

/**
 * kma_relay_start() - make the channel and its files; the gate is closed
 * @parent: the folder for them; NULL if there is no debugfs
 * @sources: the sources of the events, for as long as the log is on
 *
 * A channel of before goes, with what was not read of it.
 *
 * Context: process, may sleep.
 * Return: 0; -ENODEV without debugfs, -EINVAL for parameters that cannot be,
 * -ENOMEM, each with a line in the kernel's log; there is no channel then.
 */
int kma_relay_start(struct dentry *parent,
		    const struct kma_log_sources *sources);

/**
 * kma_relay_open() - open the gate: record events from now on
 *
 * Waits until each call that began before all probes were attached has ended. The first
 * record of each stream is a START.
 *
 * Context: process, may sleep; started, and all probes are attached.
 * Return: 0, or -ENOMEM with the gate closed.
 */
int kma_relay_open(void);

/**
 * kma_relay_shut() - close the gate, and wait until no event is being recorded
 *
 * Context: process, may sleep; open, and no probe is detached yet.
 */
void kma_relay_shut(void);

/**
 * kma_relay_seal() - write the END of each stream
 *
 * What was logged can be read to its end. An END that finds no space is written when the
 * reader has made some.
 *
 * Context: process, may sleep; shut.
 */
void kma_relay_seal(void);

/**
 * kma_relay_stop() - wait until no hook or notifier asks for the log
 *
 * Context: process, may sleep; not open, and the log's own probes are detached.
 */
void kma_relay_stop(void);

/**
 * kma_relay_flush() - let what was logged until now be read
 *
 * Context: process, may sleep.
 */
void kma_relay_flush(void);

/**
 * kma_relay_free() - release the buffers, and remove the files
 *
 * Context: process, may sleep; stopped.
 */
void kma_relay_free(void);

/**
 * kma_relay_module() - a module comes, is there, or goes
 * @mod: the module
 * @state: as its notifiers are told
 *
 * Context: a module notifier.
 */
void kma_relay_module(struct module *mod, unsigned long state);

/**
 * kma_relay_memory() - what the buffers take
 *
 * Context: any.
 * Return: bytes.
 */
size_t kma_relay_memory(void);

/**
 * kma_relay_missed() - calls were skipped that would have been logged: count them
 * @n: how many; ignored before the gate opens and after kma_relay_seal()
 *
 * Context: process; under kma_control_lock.
 */
void kma_relay_missed(unsigned long n);

/**
 * kma_relay_missed_calls() - how many calls were skipped
 *
 * Context: any.
 * Return: those since the log was switched on.
 */
unsigned long kma_relay_missed_calls(void);

/**
 * kma_relay_alloc_event() - log an allocation that no probe of the log saw
 * @e: the event
 *
 * Context: any. NMI is counted as refused.
 */
void kma_relay_alloc_event(const struct kma_event *e);

/**
 * kma_relay_free_event() - the same of a free
 * @e: the event
 *
 * Context: any. NMI is counted as refused.
 */
void kma_relay_free_event(const struct kma_event *e);

/**
 * kma_relay_pages() - log pages
 * @pfn: the first of them; ~0 if they could not be had
 * @order: of their number
 * @call_site: who allocates them; 0 for a free
 * @kind: whose they are; of a free, KMA_LOG_PAGE
 * @quiet: they may have been logged before
 *
 * Context: any but NMI, irqs off.
 */
void kma_relay_pages(unsigned long pfn, unsigned int order,
		     unsigned long call_site, enum kma_log_kind kind,
		     bool quiet);

/**
 * kma_relay_wanted() - is there a log?
 *
 * Context: any.
 * Return: true while there is; its gate may be closed.
 */
static __always_inline bool kma_relay_wanted(void)
{
	return static_branch_unlikely(&kma_relay_key);
}

/*
 * Is the gate closed? On 64 bits the test of the call site says so, at no cost.
 * @base: as kma_relay_text was read, irqs off
 */
static __always_inline bool kma_relay_closed_short(unsigned long base)
{
	return BITS_PER_LONG != 64 && base == KMA_RELAY_CLOSED;
}

/*
 * The parts of the probes' events that are less common, and out of line: all of it,
 * from the beginning. @flags are the record's: kind and node.
 */
void kma_relay_alloc_slow(unsigned long call_site, const void *ptr, size_t req,
			  size_t bytes, u32 gfp, unsigned int flags);
void kma_relay_free_slow(unsigned long call_site, const void *ptr,
			 enum kma_log_kind kind);

/**
 * kma_relay_alloc_kind() - what an allocation is in the log
 * @kind: what it is to the account
 * @bytes: bytes given
 *
 * Context: any.
 * Return: @kind, but KMA_LOG_LARGE of a kmalloc() that may be told of twice
 * (KMA_LARGE_TWICE).
 */
static __always_inline enum kma_log_kind
kma_relay_alloc_kind(enum kma_log_kind kind, size_t bytes)
{
	if (KMA_LARGE_TWICE && kind == KMA_LOG_KMALLOC &&
	    bytes > KMALLOC_MAX_CACHE_SIZE)
		return KMA_LOG_LARGE;
	return kind;
}

/**
 * kma_relay_alloc() - log an allocation: the body of a probe
 * @call_site: return address into the caller of the allocator
 * @ptr: the object; NULL if the allocation failed
 * @req: bytes asked for
 * @bytes: bytes given
 * @gfp: flags
 * @node: that was asked for, or NUMA_NO_NODE
 * @kind: what kind of allocation it is
 *
 * Context: any. NMI is counted as refused.
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
	/* the gate first: no time is before that of the START */
	e.base = READ_ONCE(kma_relay_text);
	now = kma_counter();
	e.tid = current->pid;
	if (likely(!kma_relay_closed_short(e.base) &&
		   kma_record_alloc_short(this_cpu_ptr(&kma_streams), &e, now))) {
		local_irq_restore(irqs);
		return;
	}
	/* or the common case would test it in two steps, one for both */
	OPTIMIZER_HIDE_VAR(irqs);
	local_irq_restore(irqs);
slow:
	kma_relay_alloc_slow(call_site, ptr, req, bytes, gfp,
			     kma_record_flags(&e));
}

/**
 * kma_relay_free_of() - log a free: the body of a probe
 * @call_site: return address into the caller of the allocator
 * @ptr: what was freed
 * @kind: by what
 *
 * What is no object is not logged.
 *
 * Context: any. NMI is counted as refused.
 */
static __always_inline void
kma_relay_free_of(unsigned long call_site, const void *ptr,
		  enum kma_log_kind kind)
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
	/* or the common case would test it in two steps, one for both */
	OPTIMIZER_HIDE_VAR(irqs);
	local_irq_restore(irqs);
slow:
	kma_relay_free_slow(call_site, ptr, kind);
}

#else /* no relay in this kernel */

static inline int kma_relay_start(struct dentry *parent,
				  const struct kma_log_sources *sources)
{
	return -EOPNOTSUPP;
}

static inline int kma_relay_open(void)
{
	return -EOPNOTSUPP;
}

static inline void kma_relay_shut(void)
{
}

static inline void kma_relay_seal(void)
{
}

static inline void kma_relay_stop(void)
{
}

static inline void kma_relay_flush(void)
{
}

static inline void kma_relay_free(void)
{
}

static inline void kma_relay_module(struct module *mod, unsigned long state)
{
}

static inline size_t kma_relay_memory(void)
{
	return 0;
}

static inline void kma_relay_missed(unsigned long n)
{
}

static inline unsigned long kma_relay_missed_calls(void)
{
	return 0;
}

static inline void kma_relay_alloc_event(const struct kma_event *e)
{
}

static inline void kma_relay_free_event(const struct kma_event *e)
{
}

static inline void kma_relay_pages(unsigned long pfn, unsigned int order,
				   unsigned long call_site,
				   enum kma_log_kind kind, bool quiet)
{
}

static inline bool kma_relay_wanted(void)
{
	return false;
}

#endif /* CONFIG_RELAY */

#endif /* KMA_RELAY_H */

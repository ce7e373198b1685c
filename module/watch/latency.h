/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - how long tasks waited for memory, by call site.
 *
 * An allocation that finds no free page reclaims or compacts memory itself, and its caller
 * waits. While the switch latency is on, each such wait is timed, from its begin event to its
 * end event (tracepoint.c):
 *
 *  reclaim      direct reclaim, one try_to_free_pages()
 *  compaction   direct compaction of one zone, one compact_zone()
 *  kcompactd    compaction by kcompactd, for which no task waits
 *  memcg        reclaim for the limit of a memory cgroup, or on a request by a file of
 *               the cgroup
 *
 * These waits do not nest: a task in one of them has PF_MEMALLOC, with which the kernel
 * starts no second wait, and an interrupt never waits. An allocation may have several waits
 * in succession. If two waits should nest, each is counted with its whole time. Not timed:
 * reclaim of the local node (vm.zone_reclaim_mode), kswapd, and other work of an allocation.
 *
 * Waits in progress are in a table by task and kind, because a task that reclaims may sleep
 * and wake up on another CPU. A wait is only accessed by its own task. Its slot is one of the
 * KMA_WAIT_NEAR slots after its hash. Three cases are counted as lost: a begin event without
 * a free slot; a begin event of a task that has a wait already, because the end event of that
 * wait was missed (the task died, and its task_struct was allocated again); and an end event
 * without a begin event (the probes were attached during the wait, or there was no slot).
 *
 * A wait of at least the threshold is charged to the call site of the allocation, which is
 * searched for on the stack (origin.h). Only such waits walk the stack. Shorter waits are
 * summed by kind, in a row of their own. So the rows of a kind add up to all of its waits. If
 * there is no free row for a call site, its waits are charged to a row for such call sites.
 *
 * The clock is ktime_get_ns(), because a wait may end on another CPU than it started on.
 *
 * Never done here: allocating in begin or end; anything at an allocation that does not wait,
 * or while the switch is off, when no probe is attached.
 *
 * Locking: kma_latency.lock, a raw spinlock with interrupts off, for both tables; innermost.
 *  One lock is enough: during a wait a task takes the locks of zones and LRU lists many
 *  times, and this lock once or twice. Under the lock each row is consistent. The names of
 *  rows whose code is removed: kma_sites.names, taken outside of it.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_LATENCY_H
#define KMA_LATENCY_H

#include <linux/bits.h>
#include <linux/types.h>

#define KMA_LATENCY_ROWS	512u	/* call sites by kind */
#define KMA_LATENCY_CLASSES	40u	/* by log2 of ns; the last one has all longer waits */
#define KMA_WAIT_OPEN_BITS	10	/* slots for waits in progress */
#define KMA_WAIT_OPEN		BIT(KMA_WAIT_OPEN_BITS)
#define KMA_WAIT_NEAR		32u	/* slots that are searched for a wait */
#define KMA_WAIT_NO_ORDER	(-1)

/* Kinds of waits, at most 4: they share a word with a task. */
enum kma_wait {
	KMA_WAIT_RECLAIM,
	KMA_WAIT_COMPACTION,
	KMA_WAIT_KCOMPACTD,
	KMA_WAIT_MEMCG,
	KMA_NR_WAITS,
};

/* Events of waits that could not be charged. */
struct kma_latency_lost {
	u64 no_room;	/* begin events without a free slot in the table */
	u64 no_end;	/* begin events of a task that had a wait in progress */
	u64 no_begin;	/* end events of a task without a wait in progress */
};

/* The waits of one call site, of one kind; times in ns. */
struct kma_wait_row {
	/* Return address into the function that allocates; 0 if unknown */
	unsigned long call_site;
	/* If it is not that of @call_site: static for rows without a call site, else allocated. */
	const char *name;
	enum kma_wait kind;
	bool retired;	/* the code of @call_site was removed */
	int order;	/* of the pages that the longest wait was for, or KMA_WAIT_NO_ORDER */
	u64 calls;
	u64 total;
	u64 max;
	/* Waits by log2 of their time */
	u64 hist[KMA_LATENCY_CLASSES];
};

/* Parameters; latency is the initial state of the switch. */
extern bool kma_latency_on;
extern unsigned int kma_latency_threshold_us;

/*
 * Reserve the tables, if the parameter asks for them. Returns 0, or -ENOMEM with nothing reserved.
 */
int kma_latency_init(void);

/* The same, unless they are reserved. */
int kma_latency_reserve(void);

/* No probe is attached. */
void kma_latency_deinit(void);

/*
 * Drop waits in progress, which began before the probes were detached. All numbers stay, in case
 * that no probe can be attached. When the probes are attached, the caller resets the numbers by
 * kma_latency_reset().
 *
 * @kinds has bit 1 << kind for each kind that has events in this kernel; other kinds have no rows.
 */
void kma_latency_start(unsigned int kinds);

/*
 * Set all numbers to 0; serialised with all that reads rows. A wait in progress is counted with its
 * whole time when it ends.
 */
void kma_latency_reset(void);

/*
 * Start a wait, and end it, in the current task, after kma_latency_reserve(). @task is aligned to 4
 * at least, @order is that of the pages that it allocates, or KMA_WAIT_NO_ORDER if unknown, and
 * @now is ktime_get_ns().
 */
void kma_latency_begin(enum kma_wait kind, const void *task, int order, u64 now);
void kma_latency_end(enum kma_wait kind, const void *task, u64 now);

/*
 * Save the names of call sites in code that is about to be removed. Return: rows that are retired.
 */
unsigned int kma_latency_retire(bool (*inside)(unsigned long addr, void *arg), void *arg);

/* As passed to kma_latency_start(). */
unsigned int kma_latency_kinds(void);

/*
 * The number of rows; 0 if there are no tables. The first KMA_NR_WAITS rows have the waits below
 * the threshold, by kind. The next KMA_NR_WAITS rows have the waits of call sites without a row.
 */
unsigned int kma_latency_nr(void);

/*
 * Copy a row at one instant. The caller must kfree() @copy->name, which is NULL if there is no
 * memory for it. False if the row has no wait: then there is no name to free.
 */
bool kma_latency_copy(unsigned int nr, struct kma_wait_row *copy);

/* Return: number of waits in progress. The tables are reserved. */
unsigned int kma_latency_copy_lost(struct kma_latency_lost *lost);

size_t kma_latency_memory(void);

#endif /* KMA_LATENCY_H */

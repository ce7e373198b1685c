/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - how long tasks waited for memory, and who asked for it.
 *
 * An allocation that finds no free page does the work itself: it reclaims, or
 * compacts, and its caller waits. While the switch latency is on, each such piece of
 * work is timed, from the event of its begin to that of its end (tracepoint.c):
 *
 *  reclaim      direct reclaim, one try_to_free_pages()
 *  compaction   direct compaction of one zone, one compact_zone()
 *  kcompactd    the same by kcompactd, for which nobody waits
 *  memcg        reclaim for the limit of a memory cgroup, or because somebody
 *               has asked for it by one of its files
 *
 * None of these is done within another: a task that does one has PF_MEMALLOC, with
 * which the kernel begins no second one, and an interrupt never waits. An allocation
 * may do several, one after the other. Should two nest nevertheless, each has its
 * whole time. What is not timed: reclaim of the own node first
 * (vm.zone_reclaim_mode), kswapd, and what an allocation does otherwise.
 *
 * Waits that have begun stand in a table by task and kind, for a task that
 * reclaims sleeps, and may wake up on another CPU. Only its own task looks for a wait.
 * It stands within KMA_WAIT_NEAR places behind its hash; a begin that finds no room
 * there is counted. So is a begin whose task has one already: that one's end was
 * not seen (its task died, and another one has its place in memory), and an end
 * without a begin (the probes came in the middle, or the begin had no room).
 *
 * A wait of at least the threshold is booked to the call site that asked for the memory,
 * which is looked for on the stack (origin.h). That is done for those waits alone;
 * the others are booked by kind, under a name of their own. So the rows of a kind
 * are all of its waits. When there is no row left for a call site, its waits go to
 * one that says so.
 *
 * The clock is ktime_get_ns(), as a wait may end on another CPU than it began.
 *
 * Never done here: allocating in begin or end; anything at an allocation that does
 * not wait, or without latency=1, when no probe is attached.
 *
 * Locking: kma_latency.lock, a raw spinlock, irqs off, for both tables. Innermost.
 *  One lock will do: whoever gets here has taken the locks of zones and LRU lists
 *  many times since it began to wait, and this one once or twice. It makes a row
 *  whole at any time. Text of rows whose code goes: kma_sites.names, outside of it.
 */
#ifndef KMA_LATENCY_H
#define KMA_LATENCY_H

#include <linux/bits.h>
#include <linux/types.h>

#define KMA_LATENCY_ROWS	512u	/* call sites by kind */
#define KMA_LATENCY_CLASSES	40u	/* by log2 of ns; the last one has the rest */
#define KMA_WAIT_OPEN_BITS	10	/* places for waits that have begun */
#define KMA_WAIT_OPEN		BIT(KMA_WAIT_OPEN_BITS)
#define KMA_WAIT_NEAR		32u	/* of them, where a wait may stand */
#define KMA_WAIT_NO_ORDER	(-1)

/**
 * enum kma_wait - what a task does instead of going on
 * @KMA_WAIT_RECLAIM: direct reclaim
 * @KMA_WAIT_COMPACTION: direct compaction
 * @KMA_WAIT_KCOMPACTD: compaction by kcompactd
 * @KMA_WAIT_MEMCG: reclaim of a memory cgroup
 * @KMA_NR_WAITS: number of kinds, at most 4: they share a word with a task
 */
enum kma_wait {
	KMA_WAIT_RECLAIM,
	KMA_WAIT_COMPACTION,
	KMA_WAIT_KCOMPACTD,
	KMA_WAIT_MEMCG,
	KMA_NR_WAITS,
};

/**
 * struct kma_latency_lost - what is no wait that was booked
 * @no_room: begins that found no room in the table
 * @no_end: begins of a task that had begun before
 * @no_begin: ends of a task that had not begun
 */
struct kma_latency_lost {
	u64 no_room;
	u64 no_end;
	u64 no_begin;
};

/**
 * struct kma_wait_row - the waits of one call site, of one kind
 * @call_site: return address into who asked for the memory; 0 if nobody is known
 * @name: of the row, if it is not that of @call_site: static in the rows that are no
 *	site's, else allocated
 * @kind: what was waited for
 * @retired: the code of @call_site is gone
 * @order: of the pages that the longest wait was for, or KMA_WAIT_NO_ORDER
 * @calls: number of waits
 * @total: their time in ns
 * @max: that of the longest one
 * @hist: waits by log2 of their time in ns
 */
struct kma_wait_row {
	unsigned long call_site;
	const char *name;
	enum kma_wait kind;
	bool retired;
	int order;
	u64 calls;
	u64 total;
	u64 max;
	u64 hist[KMA_LATENCY_CLASSES];
};

/* Parameters; latency is the first state of the switch. */
extern bool kma_latency_on;
extern unsigned int kma_latency_threshold_us;

/**
 * kma_latency_init() - reserve the tables, if the parameter asks for them
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_latency_init(void);

/**
 * kma_latency_reserve() - reserve the tables, unless they are reserved
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_latency_reserve(void);

/**
 * kma_latency_deinit() - release the tables; no probe is attached
 *
 * Context: process, may sleep.
 */
void kma_latency_deinit(void);

/**
 * kma_latency_start() - forget everything, also what has begun
 * @kinds: bit 1 << kind for each that has events in this kernel; others have no rows
 *
 * Context: process, may sleep; no probe is attached.
 */
void kma_latency_start(unsigned int kinds);

/**
 * kma_latency_reset() - all numbers are 0
 *
 * A wait that is under way is booked, whole, when it ends.
 *
 * Context: process, may sleep; serialised with kma_latency_copy().
 */
void kma_latency_reset(void);

/**
 * kma_latency_begin() - a task begins to wait
 * @kind: what for
 * @task: the task, which is the current one; aligned to 4 at least
 * @order: of the pages that it wants, or KMA_WAIT_NO_ORDER if that is not told
 * @now: ktime_get_ns()
 *
 * Context: a task, after kma_latency_reserve().
 */
void kma_latency_begin(enum kma_wait kind, const void *task, int order,
		       u64 now);

/**
 * kma_latency_end() - it goes on; book the time
 * @kind: as when it began
 * @task: the task, which is the current one
 * @now: ktime_get_ns()
 *
 * Context: a task, after kma_latency_reserve().
 */
void kma_latency_end(enum kma_wait kind, const void *task, u64 now);

/**
 * kma_latency_retire() - keep the names of call sites in code that goes away
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * Context: process, may sleep.
 * Return: number of rows that are retired.
 */
unsigned int kma_latency_retire(bool (*inside)(unsigned long addr, void *arg),
				void *arg);

/**
 * kma_latency_kinds() - which kinds of waits have events in this kernel
 *
 * Return: bit 1 << kind for each, as kma_latency_start() was told.
 */
unsigned int kma_latency_kinds(void);

/**
 * kma_latency_nr() - number of rows
 *
 * The first KMA_NR_WAITS rows have the waits below the threshold, by kind; the next
 * KMA_NR_WAITS rows those of call sites that found no row.
 *
 * Context: process; serialised with kma_latency_reset().
 * Return: the number; 0 if there are no tables.
 */
unsigned int kma_latency_nr(void);

/**
 * kma_latency_copy() - copy a row, of one instant
 * @nr: which, below kma_latency_nr()
 * @copy: set to the row; the caller must kfree() @copy->name, which is NULL if there
 *	is no memory for the name
 *
 * Context: process, may sleep; serialised with kma_latency_reset().
 * Return: false if the row has no wait: then there is no name to free.
 */
bool kma_latency_copy(unsigned int nr, struct kma_wait_row *copy);

/**
 * kma_latency_copy_lost() - copy what is in no row
 * @lost: set to it
 *
 * Context: process; there are tables.
 * Return: number of waits under way.
 */
unsigned int kma_latency_copy_lost(struct kma_latency_lost *lost);

/**
 * kma_latency_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_latency_memory(void);

#endif /* KMA_LATENCY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - analyse how long allocations wait, and for what, from the text of function_graph with
 * the tracepoints of vmscan and compaction.
 *
 * The log is read line by line, once. Each task of the log has a state (task.h). A begin event
 * opens a wait, and its end event closes it. The end of an allocating function gives the duration
 * of an allocation, and the waits inside it are its causes. Durations become statistics, in total
 * by cause and in rows by a key that the caller chooses (stat.h).
 *
 * Lines are shown (copied unchanged) as in the RFC "scripts: Include postprocessing script for
 * memory allocation tracing" (Janani Ravichandran, 2016): functions over the threshold, and the
 * tracepoints that belong to such a function or to such a run of a shrinker. A function that took
 * exactly the threshold counts as over it, as in the kernel, which leaves out faster ones. A
 * shrinker's run counts only if it took longer.
 *
 * Nothing is guessed: a pair of events between which events were lost, or whose clock went back, is
 * counted but not timed. All losses are counted by kind (enum kma_lat_loss).
 *
 * The call site of a wait comes from the stack that a trigger prints after the event that ends the
 * wait: it is the first frame outside the allocating function and outside every allocator. Without
 * a stack it is the enclosing function, if the log has all calls and not only slow ones.
 *
 * Memory is bounded: at most 65,536 tasks, 8,192 rows and 8,192 names of shrinkers.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LATENCY_LATENCY_H
#define KMA_LATENCY_LATENCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat.h"
#include "task.h"

/* What could not be counted or timed. */
enum kma_lat_loss {
	KMA_LAT_LOST_EVENTS, /* events, where the kernel reports their number */
	KMA_LAT_LOST_GAPS,   /* times that the kernel lost events without reporting how many */
	KMA_LAT_NOT_READ,    /* lines that were not recognised */
	KMA_LAT_NO_END,	     /* begin events without an end event */
	KMA_LAT_NO_BEGIN,    /* end events without a begin event */
	KMA_LAT_OVER_GAP,    /* pairs between which events were lost */
	KMA_LAT_BACKWARDS,   /* pairs whose clock went back */
	KMA_LAT_NO_TIME,     /* pairs without times */
	KMA_LAT_NO_NAME,     /* functions without a name in the log */
	KMA_LAT_NO_DURATION, /* functions without a duration in the log */
	KMA_LAT_CUT,	     /* a truncated last line */
	KMA_LAT_NO_ROOM,     /* names of shrinkers beyond the limit */
	KMA_LAT_NR_LOSSES
};

/* Kinds of rows, see kma_lat_rows_get(). */
enum kma_lat_of {
	KMA_LAT_OF_SHRINKER_NAME, /* by function, as in the RFC */
	KMA_LAT_OF_SHRINKER, /* "function name" if the log has it, otherwise "function address" */
	KMA_LAT_OF_FUNCTION, /* functions over the threshold */
	KMA_LAT_OF_BY,	     /* this plus enum kma_lat_cause: rows by the requested key */
};

/* The key of the rows that the caller requests. */
enum kma_lat_by {
	KMA_LAT_BY_CAUSE,
	KMA_LAT_BY_SHRINKER,
	KMA_LAT_BY_FUNCTION,
	KMA_LAT_BY_TASK,
	KMA_LAT_BY_ORDER,
	KMA_LAT_BY_GFP,
	KMA_LAT_BY_NODE,
	KMA_LAT_BY_SITE,
	KMA_LAT_NR_BY
};

/*
 * The causes among which the time of an allocation is divided. With the rest they add up to the
 * time of all allocations.
 */
enum kma_lat_share {
	KMA_LAT_IN_RECLAIM, /* direct reclaim, without the shrinkers in it */
	KMA_LAT_IN_MEMCG,   /* reclaim of a memory cgroup, without the shrinkers in it */
	KMA_LAT_IN_SHRINK,
	KMA_LAT_IN_COMPACT,
	KMA_LAT_IN_WAIT,      /* not on a CPU, outside all of the above; from sched_switch */
	KMA_LAT_IN_INTERRUPT, /* an interrupt or softirq had the CPU, outside all of the above */
	KMA_LAT_IN_REST,      /* everything else, and what the log does not have */
	KMA_LAT_NR_SHARES
};

/* Row of waits for which the log does not have the key. */
#define KMA_LAT_UNKNOWN "[not in the log]"

/* By site: row of stacks without an allocation, as those of the kernel's own threads. */
#define KMA_LAT_NO_ALLOC "[no allocation]"

extern const char *const kma_lat_by_names[KMA_LAT_NR_BY];
extern const char *const kma_lat_cause_names[KMA_LAT_NR_CAUSES];
extern const char *const kma_lat_share_names[KMA_LAT_NR_SHARES]; /* for scripts */
extern const char *const kma_lat_loss_names[KMA_LAT_NR_LOSSES];	 /* for scripts */
extern const char *const kma_lat_loss_titles[KMA_LAT_NR_LOSSES]; /* after a number */

struct kma_lat_options {
	uint64_t threshold; /* ns; slower functions and runs of shrinkers are shown */
	enum kma_lat_by by;
	/* Called with each line to show, without its newline; may be NULL. */
	void (*show)(void *arg, const char *line, size_t len);
	void *arg;
	/* By site: does a function, perhaps with an offset, belong to an allocator? NULL: none. */
	bool (*allocator)(const char *function, size_t len);
};

struct kma_lat_sums {
	uint64_t lines, read; /* all lines; those that were recognised and are not comments */
	uint64_t first_bad;   /* number of the first line that was not recognised; 0: none */
	bool has_time;	      /* at least one line has a time */
	uint64_t first, last; /* earliest and latest time, ns */
	uint64_t losses[KMA_LAT_NR_LOSSES];
	uint64_t no_end[KMA_LAT_NR_CAUSES]; /* KMA_LAT_NO_END by cause */
	struct kma_lat_stat causes[KMA_LAT_NR_CAUSES];
	uint64_t shares[KMA_LAT_NR_SHARES];    /* ns */
	uint64_t events[KMA_LAT_NR_CAUSES];    /* tracepoints of each cause */
	uint64_t functions[KMA_LAT_NR_CAUSES]; /* calls of the functions that have these tracepoints */
	bool timed;			       /* a tracepoint of a cause has a time */
	uint64_t switches;   /* sched_switch events; 0: the log has none, so waiting is unknown */
	uint64_t interrupts; /* interrupts that have ended; 0: the log has none */
	unsigned int lists;  /* complete lists of shrinkers' names, see kma_tracefs_names() */
};

struct kma_lat;

/*
 * Does a file, which need not be text, have a call of a function or one of the tracepoints among
 * its first lines? @calls: it has a call.
 */
bool kma_lat_is_log(const char *text, size_t len, bool *calls);

struct kma_lat *kma_lat_create(const struct kma_lat_options *opts);
void kma_lat_destroy(struct kma_lat *lat);

/* Read whole lines; a last line without a newline counts as truncated. */
void kma_lat_text(struct kma_lat *lat, const char *text, size_t len);

/* End the input: waits in progress have no end event. */
void kma_lat_end(struct kma_lat *lat);

/* The sums and the rows (by enum kma_lat_of), valid as long as @lat; they change with each line. */
const struct kma_lat_sums *kma_lat_sums(const struct kma_lat *lat);
const struct kma_lat_rows *kma_lat_rows(const struct kma_lat *lat);

/*
 * The tracepoints or the trace option that a log lacks for a share; NULL: nothing, and always for
 * memory cgroups, waiting, interrupts and the rest. Tracepoints count as recorded if the log has
 * one of them, or if it has those of other causes and no call of a function that contains them.
 */
const char *kma_lat_share_needs(const struct kma_lat_sums *sums, enum kma_lat_share share);

/*
 * Can the log contain a share? Not if it lacks something for it; memory cgroups, waiting and
 * interrupts not if it has none of their events. Their time is then part of the rest.
 */
bool kma_lat_share_known(const struct kma_lat_sums *sums, enum kma_lat_share share);

#endif /* KMA_LATENCY_LATENCY_H */

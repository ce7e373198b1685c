/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sums.h - the counts of an analysis, the keys of its rows, and their names.
 */
#ifndef KMA_LATENCY_SUMS_H
#define KMA_LATENCY_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat.h"
#include "task.h"

/* The lines and events that could not be counted. */
enum kma_lat_loss {
	KMA_LAT_LOST_EVENTS, /* as the kernel says */
	KMA_LAT_LOST_GAPS,   /* places where it does not say how many */
	KMA_LAT_NOT_READ,    /* lines */
	KMA_LAT_NO_END,	     /* begins */
	KMA_LAT_NO_BEGIN,    /* ends */
	KMA_LAT_OVER_GAP,    /* pairs with lost events between */
	KMA_LAT_BACKWARDS,   /* pairs whose clock went back */
	KMA_LAT_NO_TIME,     /* pairs without times */
	KMA_LAT_NO_NAME,     /* functions without a name in the log */
	KMA_LAT_NO_DURATION, /* functions without one */
	KMA_LAT_CUT,	     /* a last line without its end */
	KMA_LAT_NO_ROOM,     /* names of shrinkers */
	KMA_LAT_NR_LOSSES
};

/* Rows, see kma_lat_rows_get(): what they are of. */
enum kma_lat_of {
	KMA_LAT_OF_SHRINKER_NAME, /* by function, as in the RFC */
	KMA_LAT_OF_SHRINKER, /* "function name" if the log has it, otherwise "function address" */
	KMA_LAT_OF_FUNCTION, /* over the threshold */
	KMA_LAT_OF_BY,	     /* and the cause: rows of the requested key */
};

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

/* For what the log does not say. */
#define KMA_LAT_UNKNOWN "[not in the log]"

/* By site: a stack without an allocation, as in the kernel's own threads. */
#define KMA_LAT_NO_ALLOC "[no allocation]"

extern const char *const kma_lat_by_names[KMA_LAT_NR_BY];
extern const char *const kma_lat_cause_names[KMA_LAT_NR_CAUSES];
extern const char *const kma_lat_loss_names[KMA_LAT_NR_LOSSES];	 /* for scripts */
extern const char *const kma_lat_loss_titles[KMA_LAT_NR_LOSSES]; /* after a number */

struct kma_lat_options {
	uint64_t threshold; /* ns */
	enum kma_lat_by by;
	/* Called with each line that is to be shown, without its end; may be NULL. */
	void (*show)(void *arg, const char *line, size_t len);
	void *arg;
	/* By site: is a function, perhaps with an offset, one of an allocator? NULL: none is. */
	bool (*allocator)(const char *function, size_t len);
};

/* The causes among which the time of an allocation is divided. */
enum kma_lat_share {
	KMA_LAT_IN_RECLAIM, /* direct reclaim, without the shrinkers in it */
	KMA_LAT_IN_MEMCG,   /* reclaim of a memory cgroup, without the shrinkers in it */
	KMA_LAT_IN_SHRINK,
	KMA_LAT_IN_COMPACT,
	KMA_LAT_IN_WAIT,      /* not on a CPU, outside all of the above; from sched_switch */
	KMA_LAT_IN_INTERRUPT, /* an interrupt or softirq had the CPU, outside all of the above */
	KMA_LAT_IN_REST,      /* all else, and what the log does not tell of */
	KMA_LAT_NR_SHARES
};

struct kma_lat_sums {
	uint64_t lines, read; /* @read: lines that were recognised and are not comments */
	uint64_t first_bad;   /* number of the line, 0: none */
	bool has_time;
	uint64_t first, last; /* ns, earliest and latest time */
	uint64_t losses[KMA_LAT_NR_LOSSES];
	uint64_t no_end[KMA_LAT_NR_CAUSES];
	struct kma_lat_stat causes[KMA_LAT_NR_CAUSES];
	uint64_t shares[KMA_LAT_NR_SHARES]; /* ns; they add up to that of allocations */
	uint64_t switches;		    /* number of tasks; 0: the log has no names of tasks */
	uint64_t interrupts;		    /* that have ended; 0: they are not in the log */
	unsigned int lists;		    /* of shrinkers' names, see kma_tracefs_names() */
};

#endif /* KMA_LATENCY_SUMS_H */

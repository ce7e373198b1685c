/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.h - the state of each task in a log: waits that have not ended, the last tracepoints that
 * wait for the end of their function, functions that have not ended, and waits that have ended
 * since the last allocation.
 *
 * Tasks are identified by process number, never by name. Idle tasks, and tasks that the log does
 * not number, are identified by CPU. They are in a list, the one that was seen last first. From
 * KMA_LAT_MAX_TASKS tasks on, the least recently seen ones without an open wait are dropped; a few
 * are tried for each new task. From KMA_LAT_ALL_TASKS on, the least recently seen one is dropped
 * anyway, and its open waits count as without an end. A task takes about 8 KiB and its lines.
 */
#ifndef KMA_LATENCY_TASK_H
#define KMA_LATENCY_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "lib/strbuf.h"
#include "line.h"

#define KMA_LAT_MAX_TASKS (1U << 12) /* tasks, if the others have open waits */
#define KMA_LAT_ALL_TASKS (1U << 16) /* tasks in any case */
#define KMA_LAT_MAX_OPEN  8	     /* open waits of a task; the oldest one is dropped */
#define KMA_LAT_MAX_PAST  256	     /* waits since the last allocation */
#define KMA_LAT_MAX_DEPTH 64	     /* open functions whose names are stored */
#define KMA_LAT_COMM	  16	     /* bytes of a task's name, including the NUL */

/* The waits that have rows of their own. */
enum kma_lat_cause {
	KMA_LAT_ALLOC,
	KMA_LAT_RECLAIM,
	KMA_LAT_MEMCG, /* reclaim of a memory cgroup that is at its limit */
	KMA_LAT_COMPACT,
	KMA_LAT_SHRINK,
	KMA_LAT_NR_CAUSES
};

/* A time of no cause: the task was not on a CPU, or an interrupt had its CPU. */
#define KMA_LAT_OFF_CPU	  KMA_LAT_NR_CAUSES
#define KMA_LAT_INTERRUPT (KMA_LAT_NR_CAUSES + 1)

/* Tracepoints that are shown with their function; an end event follows its begin event. */
enum kma_lat_slot {
	KMA_LAT_RECLAIM_BEGIN,
	KMA_LAT_RECLAIM_END,
	KMA_LAT_MEMCG_BEGIN,
	KMA_LAT_MEMCG_END,
	KMA_LAT_COMPACT_BEGIN,
	KMA_LAT_COMPACT_END,
	KMA_LAT_TRY_COMPACT,
	KMA_LAT_INACTIVE,
	KMA_LAT_NR_SLOTS
};

/* The last tracepoint of a slot, which is shown when its function ends. */
struct kma_lat_kept {
	bool set, has_time;
	uint64_t time; /* ns */
	struct kma_strbuf line;
};

/* A wait that has not ended. */
struct kma_lat_open {
	enum kma_lat_cause cause;
	bool has_time;
	uint64_t time; /* of its begin event, ns */
	unsigned int cpu;
	uint64_t losses, all_losses; /* gaps of the CPU, and of all CPUs, when it began */
	size_t args, args_len;	     /* offset and length of the arguments in @line */
	size_t shrinker_len;	     /* bytes of @args that identify the shrinker */
	struct kma_strbuf line;	     /* its begin event */
};

/* A wait that has ended and is held until it is known whether a stack follows. */
struct kma_lat_ended {
	bool set;
	enum kma_lat_cause cause;
	uint64_t took; /* ns */
};

/* A wait that has ended, and may have been within an allocation. */
struct kma_lat_past {
	unsigned int cause;   /* enum kma_lat_cause, KMA_LAT_OFF_CPU or KMA_LAT_INTERRUPT */
	uint64_t begin, took; /* ns */
};

/*
 * A time off the CPU, or an interrupt, that began while no wait of the task was in progress.
 */
struct kma_lat_off {
	bool set;	     /* it is in progress */
	unsigned int depth;  /* of an interrupt: how many are nested; 0: none */
	uint64_t time;	     /* of its start, ns */
	uint64_t all_losses; /* gaps of all CPUs when it began */
};

struct kma_lat_task {
	TAILQ_ENTRY(kma_lat_task) seen;
	uint32_t number; /* in the set of tasks */
	uint64_t key;	 /* process number, or a number made of the CPU */
	bool has_pid;
	unsigned int pid;
	char comm[KMA_LAT_COMM];
	unsigned int nr_open;
	struct kma_lat_open open[KMA_LAT_MAX_OPEN]; /* oldest first */
	struct kma_lat_kept kept[KMA_LAT_NR_SLOTS];
	unsigned int depth; /* open functions; those beyond KMA_LAT_MAX_DEPTH have no name */
	uint32_t name_ends[KMA_LAT_MAX_DEPTH]; /* where each name ends in @names */
	struct kma_strbuf names;	       /* names of open functions, without separators */
	struct kma_lat_ended ended;
	unsigned int nr_past; /* waits since the last allocation */
	struct kma_lat_past past[KMA_LAT_MAX_PAST];
	struct kma_lat_off off, interrupt;
	struct kma_strbuf site; /* call site of the last stack; empty: unknown, or used up */
	bool site_has_time;
	uint64_t site_time; /* time of that stack, ns */
	uint64_t opened;    /* address of the shrinker whose file the task opened last */
};

struct kma_lat_tasks;

/*
 * An empty set of tasks. @forget is called with each task that is dropped, to count its open waits.
 */
struct kma_lat_tasks *kma_lat_tasks_create(void (*forget)(void *arg, struct kma_lat_task *task),
					   void *arg);

void kma_lat_tasks_destroy(struct kma_lat_tasks *tasks);

/* Find or add the task of a line, which has a task or a CPU. */
struct kma_lat_task *kma_lat_tasks_get(struct kma_lat_tasks *tasks,
				       const struct kma_lat_line *line);

/* Remove an open wait. Its line stays valid until the next wait is opened. */
void kma_lat_task_close(struct kma_lat_task *task, unsigned int i);

/* A function begins. */
void kma_lat_task_push(struct kma_lat_task *task, const struct kma_lat_text *name);

/*
 * The open function at a level (0: the innermost one, 1: its caller, ...), valid until the next one
 * begins; false if there is none or if its name is unknown.
 */
bool kma_lat_task_function(const struct kma_lat_task *task, unsigned int up,
			   struct kma_lat_text *name);

/*
 * A function ends. An empty @name is set to that of the innermost one, valid until the next one
 * begins; false if that is unknown.
 */
bool kma_lat_task_pop(struct kma_lat_task *task, struct kma_lat_text *name);

#endif /* KMA_LATENCY_TASK_H */

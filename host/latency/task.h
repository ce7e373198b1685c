/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.h - the state of a task in a log: begin events without their end, the last tracepoints that
 * wait for their function, and functions that have not ended.
 *
 * Tasks are identified by process number, never by name; idle tasks, and tasks that the log does
 * not name, by CPU. If there are many tasks, the least recently seen task without a call in
 * progress is dropped, so the calls in progress bound the memory.
 */
#ifndef KMA_LATENCY_TASK_H
#define KMA_LATENCY_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "lib/strbuf.h"
#include "line.h"

#define KMA_LAT_MAX_TASKS (1U << 12) /* that wait for nothing */
#define KMA_LAT_ALL_TASKS (1U << 16) /* at all */
#define KMA_LAT_MAX_OPEN  8
#define KMA_LAT_MAX_PAST  256
#define KMA_LAT_MAX_DEPTH 64
#define KMA_LAT_COMM	  16

/* The waits that have rows of their own. */
enum kma_lat_cause {
	KMA_LAT_ALLOC,
	KMA_LAT_RECLAIM,
	KMA_LAT_MEMCG, /* reclaim of a memory cgroup that is at its limit */
	KMA_LAT_COMPACT,
	KMA_LAT_SHRINK,
	KMA_LAT_NR_CAUSES
};

/* A past of no cause: the task was not on a CPU, or an interrupt had its CPU. */
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

struct kma_lat_kept {
	bool set, has_time;
	uint64_t time, begin_time; /* ns */
	struct kma_strbuf line;
};

struct kma_lat_open {
	enum kma_lat_cause cause;
	bool has_time;
	uint64_t time; /* ns */
	unsigned int cpu;
	uint64_t losses, all_losses; /* gaps of the CPU, of all, when it began */
	size_t args, args_len;	     /* in @line */
	size_t shrinker_len;	     /* part of @args that identifies the shrinker */
	struct kma_strbuf line;
};

/* One that has ended, until it is known whether a stack follows. */
struct kma_lat_ended {
	bool set;
	enum kma_lat_cause cause;
	uint64_t took; /* ns */
};

/* One that was within another, perhaps. */
struct kma_lat_past {
	unsigned int cause;   /* enum kma_lat_cause, KMA_LAT_OFF_CPU or KMA_LAT_INTERRUPT */
	uint64_t begin, took; /* ns */
};

/*
 * The time for which the task has left its CPU, or was interrupted, while none of its causes was
 * in progress.
 */
struct kma_lat_off {
	bool set;
	unsigned int depth;  /* of interrupts within each other, in place of @set */
	uint64_t time;	     /* ns */
	uint64_t all_losses; /* gaps of all CPUs then */
};

struct kma_lat_task {
	TAILQ_ENTRY(kma_lat_task) seen;
	struct kma_lat_task *next; /* in its bucket */
	uint64_t key;
	bool has_pid;
	unsigned int pid;
	char comm[KMA_LAT_COMM];
	unsigned int nr_open;
	struct kma_lat_open open[KMA_LAT_MAX_OPEN];
	struct kma_lat_kept kept[KMA_LAT_NR_SLOTS];
	unsigned int depth; /* of open functions; those beyond the table have no name */
	uint32_t name_ends[KMA_LAT_MAX_DEPTH];
	struct kma_strbuf names; /* one after the other, each with a NUL */
	struct kma_lat_ended ended;
	unsigned int nr_past; /* since the last allocation ended; if they are many, the newest half */
	struct kma_lat_past past[KMA_LAT_MAX_PAST];
	struct kma_lat_off off, interrupt;
	struct kma_strbuf site; /* call site of the last stack; empty: unknown */
	bool site_has_time;
	uint64_t site_time; /* ns */
	uint64_t opened;    /* address of the shrinker whose file was opened last */
};

struct kma_lat_tasks;

/**
 * kma_lat_tasks_create() - create an empty set of tasks
 * @forget: called with each task that is dropped, to count its open waits
 * @arg: for @forget
 *
 * Return: the tasks, NULL without memory.
 */
struct kma_lat_tasks *kma_lat_tasks_create(void (*forget)(void *arg, struct kma_lat_task *task),
					   void *arg);

/**
 * kma_lat_tasks_destroy() - forget all tasks
 * @tasks: from kma_lat_tasks_create(); NULL is fine
 */
void kma_lat_tasks_destroy(struct kma_lat_tasks *tasks);

/**
 * kma_lat_tasks_get() - the task of a line
 * @tasks: the tasks
 * @line: with a task, or a CPU
 *
 * Return: the task; NULL without memory.
 */
struct kma_lat_task *kma_lat_tasks_get(struct kma_lat_tasks *tasks,
				       const struct kma_lat_line *line);

/**
 * kma_lat_task_close() - take a begin out
 * @task: the task
 * @i: which one of @task->open; its line stays valid until the next one is opened
 */
void kma_lat_task_close(struct kma_lat_task *task, unsigned int i);

/**
 * kma_lat_task_push() - a function begins
 * @task: the task
 * @name: its name
 */
void kma_lat_task_push(struct kma_lat_task *task, const struct kma_lat_text *name);

/**
 * kma_lat_task_function() - get a function that has not ended
 * @task: the task
 * @up: 0: the innermost one, 1: its caller, ...
 * @name: its name, until the next kma_lat_task_push()
 *
 * Return: false if there is none at that level, or the log does not name it.
 */
bool kma_lat_task_function(const struct kma_lat_task *task, unsigned int up,
			   struct kma_lat_text *name);

/**
 * kma_lat_task_clear() - forget the functions of a task that have not ended
 * @task: the task
 */
void kma_lat_task_clear(struct kma_lat_task *task);

/**
 * kma_lat_task_pop() - record the end of a function
 * @task: the task
 * @name: its name; if empty, it is set to the name of the innermost function, valid until the next
 *	 call
 *
 * Return: false if the name is unknown.
 */
bool kma_lat_task_pop(struct kma_lat_task *task, struct kma_lat_text *name);

#endif /* KMA_LATENCY_TASK_H */

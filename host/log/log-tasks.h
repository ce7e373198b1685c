/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-tasks.h - the names and cgroups of the tasks of an event log, at the time of each event. Only
 * for log*.c.
 *
 * An event has only the ID of its thread. The recorder writes the names and cgroups of all threads
 * at the start of the log, and each change with its time, as lines of the text. All lines are
 * parsed and sorted by time first (32 bytes each); then the changes are applied while the events
 * are read, up to the time of each event. Threads are never removed: a thread ID that is used again
 * is overwritten.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_TASKS_H
#define KMA_LOG_LOG_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/map.h"
#include "log-item.h"
#include "log-ticks.h"
#include "model/intern.h"

/* A thread at the time of the last applied change. Names are numbers in kma_log_tasks.names. */
struct kma_log_task {
	bool kthread; /* a thread of the kernel */
	uint32_t tid, tgid;
	uint32_t comm, cgroup; /* its name, and the path of its cgroup */
};

struct kma_log_change;

struct kma_log_tasks {
	bool known;		  /* the log has names */
	bool start;		  /* the log has only the names at its start, without changes */
	uint64_t lost;		  /* number of changes that the recorder has lost */
	uint64_t next;		  /* time of the next change in ns; UINT64_MAX: there is none */
	struct kma_intern *names; /* names of threads, and paths of cgroups */
	struct kma_log_change *changes; /* sorted by time */
	size_t nr, room, at;		/* changes; allocated; index of the next one to apply */
	uint32_t *cgroups; /* number of the path in @names, by the number in the lines */
	size_t nr_cgroups;
	struct kma_map by_tid; /* the threads */
	struct kma_log_task *tasks;
	size_t room_tasks;
};

/*
 * Parses a line of the log's text, which ends with a line feed. False if it is not one of tasks; a
 * corrupt one is ignored.
 */
bool kma_log_tasks_parse(struct kma_log_tasks *tasks, const char *line,
			 const struct kma_log_ticks *ticks);

/* Sorts the changes by time, after the last line. */
void kma_log_tasks_sort(struct kma_log_tasks *tasks);

/* Applies the changes up to a time (ns), which never goes back. */
void kma_log_tasks_apply(struct kma_log_tasks *tasks, uint64_t time);

/* Numbers of owners. From KMA_LOG_OWNER_NAMED up they are numbers of names. */
enum kma_log_owner_number {
	KMA_LOG_OWNER_IRQ,     /* an allocation in an interrupt or a softirq */
	KMA_LOG_OWNER_UNKNOWN, /* the log does not have the thread, or its name */
	KMA_LOG_OWNER_IDLE,    /* an idle task: thread ID 0 */
	KMA_LOG_OWNER_KTHREAD, /* by cgroup: all threads of the kernel */
	KMA_LOG_OWNER_NAMED,
};

/*
 * The task of an event, or its cgroup, after kma_log_tasks_apply() up to the event. @name is set to
 * its name, or to a name in brackets, valid until kma_log_tasks_free(). Returns a number that
 * identifies @name.
 */
uint32_t kma_log_tasks_owner(const struct kma_log_tasks *tasks, const struct kma_log_item *item,
			     bool cgroup, const char **name);

void kma_log_tasks_free(struct kma_log_tasks *tasks);

#endif /* KMA_LOG_LOG_TASKS_H */

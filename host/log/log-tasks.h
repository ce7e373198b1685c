/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-tasks.h - names and cgroups of the tasks of an event log, at the time of each event. Only for
 * log*.c.
 *
 * They are lines of the file's text: the tasks when the log began, and each change with its time.
 * The changes are applied in the order of time while the events are read.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_TASKS_H
#define KMA_LOG_LOG_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log-item.h"
#include "log-ticks.h"
#include "model/intern.h"

/* A thread, and what it is called now. Names are numbers of @names of struct kma_log_tasks. */
struct kma_log_task {
	bool used;
	bool kthread; /* a thread of the kernel */
	uint32_t tid, tgid;
	uint32_t comm, cgroup;
};

struct kma_log_change;

struct kma_log_tasks {
	bool known;    /* the log has names */
	bool start;    /* only those of the beginning */
	uint64_t lost; /* changes */
	uint64_t next; /* time of the next change; UINT64_MAX: there is none */
	struct kma_intern *names;
	struct kma_log_change *changes; /* by time */
	size_t nr, room, at;
	uint32_t *cgroups; /* names of the numbers that the lines have */
	size_t nr_cgroups;
	struct kma_log_task *slots; /* by thread: open addressing, at most half full */
	size_t nr_slots, nr_tasks;
};

/**
 * kma_log_tasks_parse() - take one line of the file's text
 * @tasks: zeroed before the first line
 * @line: ends with a line feed
 * @ticks: of the log
 * @err: an error (memory), or left alone
 *
 * Return: true if the line is one of tasks.
 */
bool kma_log_tasks_parse(struct kma_log_tasks *tasks, const char *line,
			 const struct kma_log_ticks *ticks, struct kma_err **err);

/**
 * kma_log_tasks_sort() - all lines were taken
 * @tasks: as parsed
 */
void kma_log_tasks_sort(struct kma_log_tasks *tasks);

/**
 * kma_log_tasks_apply() - apply the changes up to a time
 * @tasks: sorted
 * @time: ns; not before that of the last call
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_log_tasks_apply(struct kma_log_tasks *tasks, uint64_t time);

/**
 * kma_log_tasks_find() - get a thread
 * @tasks: sorted
 * @tid: of the thread
 *
 * Return: the thread as of the last kma_log_tasks_apply(); NULL if it is not known.
 */
const struct kma_log_task *kma_log_tasks_find(const struct kma_log_tasks *tasks, uint32_t tid);

/* Numbers of owners. Those of names are from KMA_LOG_OWNER_NAMED up. */
enum kma_log_owner_number {
	KMA_LOG_OWNER_IRQ,
	KMA_LOG_OWNER_UNKNOWN,
	KMA_LOG_OWNER_IDLE,
	KMA_LOG_OWNER_KTHREAD,
	KMA_LOG_OWNER_NAMED,
};

/**
 * kma_log_tasks_owner() - the task of an event, or its cgroup
 * @tasks: sorted, and applied up to the event
 * @item: the event
 * @cgroup: the cgroup, otherwise the task by its name
 * @name: its name, or a row in brackets; stays with the tasks
 *
 * Return: a number of the name.
 */
uint32_t kma_log_tasks_owner(const struct kma_log_tasks *tasks, const struct kma_log_item *item,
			     bool cgroup, const char **name);

/**
 * kma_log_tasks_free() - free the memory
 * @tasks: as parsed
 */
void kma_log_tasks_free(struct kma_log_tasks *tasks);

#endif /* KMA_LOG_LOG_TASKS_H */

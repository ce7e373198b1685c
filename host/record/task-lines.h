/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task-lines.h - names and cgroups of tasks, as lines of an event log's text
 * (Documentation/format/log.rst).
 *
 * Each cgroup is written once, and has a number from 1 up; 0 is an unknown one. Names of tasks may
 * have any bytes; those that could end a line are written as octal escapes. Times are in units of
 * the log's clock.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_RECORD_TASK_LINES_H
#define KMA_RECORD_TASK_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/strbuf.h"

struct kma_task_lines {
	struct kma_strbuf text; /* lines that are not in the log yet */
	char **cgroups;		/* paths, by number minus 1 */
	size_t nr_cgroups, room_cgroups;
};

void kma_task_lines_deinit(struct kma_task_lines *lines);

/*
 * The number of a cgroup by its path in its hierarchy. A line is added if it is new. 0 for an empty
 * path.
 */
size_t kma_task_lines_cgroup(struct kma_task_lines *lines, const char *path, size_t len);

/* Adds a task that exists at the start of the log. @tid is its thread, @tgid its process. */
void kma_task_lines_task(struct kma_task_lines *lines, uint32_t tid, uint32_t tgid, bool kthread,
			 size_t cgroup, const char *comm, size_t len);

/* Adds a task that thread @parent creates by clone(2) with @flags. */
void kma_task_lines_fork(struct kma_task_lines *lines, uint64_t time, uint32_t tid, uint32_t parent,
			 uint64_t flags, const char *comm, size_t len);

void kma_task_lines_rename(struct kma_task_lines *lines, uint64_t time, uint32_t tid,
			   const char *comm, size_t len);

/* If @tid is the number of a process, all of its threads move. */
void kma_task_lines_move(struct kma_task_lines *lines, uint64_t time, uint32_t tid, size_t cgroup);

#endif /* KMA_RECORD_TASK_LINES_H */

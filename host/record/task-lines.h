/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task-lines.h - names and cgroups of tasks, as lines of an event log's text
 * (Documentation/format/log.rst).
 *
 * Each cgroup is written once, and has a number from 1 up. Bytes that could end a line are written
 * as octal escapes.
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
	struct kma_strbuf text; /* lines since the last kma_tasks_text() */
	char **cgroups;		/* paths, by number minus 1 */
	size_t nr_cgroups, room_cgroups;
};

/**
 * kma_task_lines_deinit() - free the memory
 * @lines: as filled in, or zeroed
 */
void kma_task_lines_deinit(struct kma_task_lines *lines);

/**
 * kma_task_lines_cgroup() - get the number of a cgroup
 * @lines: the lines; one with the path is added if the cgroup is new
 * @path: path in its hierarchy
 * @len: bytes of @path
 *
 * Return: its number; 0, an unknown cgroup, for an empty path or if memory cannot be allocated.
 */
size_t kma_task_lines_cgroup(struct kma_task_lines *lines, const char *path, size_t len);

/**
 * kma_task_lines_task() - add an existing task
 * @lines: the lines
 * @tid: number of the thread
 * @tgid: number of its process
 * @kthread: the thread is one of the kernel
 * @cgroup: number of its cgroup
 * @comm: its name, any bytes
 * @len: bytes of @comm
 */
void kma_task_lines_task(struct kma_task_lines *lines, uint32_t tid, uint32_t tgid, bool kthread,
			 size_t cgroup, const char *comm, size_t len);

/**
 * kma_task_lines_fork() - add a new task
 * @lines: the lines
 * @time: time of its creation, in units of the log's clock
 * @tid: number of the new thread
 * @parent: number of the thread that created it
 * @flags: flags of clone(2)
 * @comm: its name, any bytes
 * @len: bytes of @comm
 */
void kma_task_lines_fork(struct kma_task_lines *lines, uint64_t time, uint32_t tid, uint32_t parent,
			 uint64_t flags, const char *comm, size_t len);

/**
 * kma_task_lines_rename() - add a new name of a task
 * @lines: the lines
 * @time: time of the change, in units of the log's clock
 * @tid: number of the thread
 * @comm: the name, any bytes
 * @len: bytes of @comm
 */
void kma_task_lines_rename(struct kma_task_lines *lines, uint64_t time, uint32_t tid,
			   const char *comm, size_t len);

/**
 * kma_task_lines_move() - add a new cgroup of a task
 * @lines: the lines
 * @time: time of the change, in units of the log's clock
 * @tid: number of the thread; if it is that of a process, all of its threads move
 * @cgroup: number of the cgroup; 0 for an unknown one
 */
void kma_task_lines_move(struct kma_task_lines *lines, uint64_t time, uint32_t tid, size_t cgroup);

#endif /* KMA_RECORD_TASK_LINES_H */

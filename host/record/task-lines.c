// SPDX-License-Identifier: GPL-2.0-only
/*
 * task-lines.c - names and cgroups of tasks, as lines of an event log's text.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "task-lines.h"

void kma_task_lines_deinit(struct kma_task_lines *lines)
{
	for (size_t i = 0; i < lines->nr_cgroups; i++)
		free(lines->cgroups[i]);
	free(lines->cgroups);
	kma_strbuf_deinit(&lines->text);
}

/* Write the rest of a line, with octal escapes for control characters and backslashes. */
static void task_lines_end(struct kma_task_lines *lines, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (c < ' ' || c == 0x7f || c == '\\')
			kma_strbuf_printf(&lines->text, "\\%03o", c);
		else
			kma_strbuf_add(&lines->text, &text[i], 1);
	}
	kma_strbuf_puts(&lines->text, "\n");
}

static size_t task_lines_add_cgroup(struct kma_task_lines *lines, const char *path, size_t len)
{
	kma_array_room(lines->cgroups, lines->nr_cgroups, lines->room_cgroups);
	lines->cgroups[lines->nr_cgroups++] = kma_xstrndup(path, len);
	kma_strbuf_printf(&lines->text, "#cgroup %zu ", lines->nr_cgroups);
	task_lines_end(lines, path, len);
	return lines->nr_cgroups;
}

size_t kma_task_lines_cgroup(struct kma_task_lines *lines, const char *path, size_t len)
{
	if (!len)
		return 0;
	/* Search the newest first: tasks of one cgroup mostly come one after the other. */
	for (size_t i = lines->nr_cgroups; i > 0; i--)
		if (!strncmp(lines->cgroups[i - 1], path, len) && !lines->cgroups[i - 1][len])
			return i;
	return task_lines_add_cgroup(lines, path, len);
}

void kma_task_lines_task(struct kma_task_lines *lines, uint32_t tid, uint32_t tgid, bool kthread,
			 size_t cgroup, const char *comm, size_t len)
{
	kma_strbuf_printf(&lines->text, "#task %" PRIu32 " %" PRIu32 " %d %zu ", tid, tgid, kthread,
			  cgroup);
	task_lines_end(lines, comm, len);
}

void kma_task_lines_fork(struct kma_task_lines *lines, uint64_t time, uint32_t tid, uint32_t parent,
			 uint64_t flags, const char *comm, size_t len)
{
	kma_strbuf_printf(&lines->text, "#fork %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu64 " ",
			  time, tid, parent, flags);
	task_lines_end(lines, comm, len);
}

void kma_task_lines_rename(struct kma_task_lines *lines, uint64_t time, uint32_t tid,
			   const char *comm, size_t len)
{
	kma_strbuf_printf(&lines->text, "#comm %" PRIu64 " %" PRIu32 " ", time, tid);
	task_lines_end(lines, comm, len);
}

void kma_task_lines_move(struct kma_task_lines *lines, uint64_t time, uint32_t tid, size_t cgroup)
{
	kma_strbuf_printf(&lines->text, "#move %" PRIu64 " %" PRIu32 " %zu\n", time, tid, cgroup);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * tasks.c - names and cgroups of the tasks of a recording.
 *
 * Changes are followed before /proc is read, so that no change is missed in between. A change that
 * /proc already shows is then written a second time, which does no harm.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "task-events.h"
#include "task-scan.h"
#include "tasks.h"

struct kma_tasks {
	char *root;
	struct kma_task_events *events; /* NULL: changes cannot be followed */
	struct kma_task_lines lines;
	uint64_t lost; /* lost events that were already written as a line */
	bool taken;    /* kma_tasks_text() has returned the lines */
};

static void kma_tasks_scan(struct kma_tasks *tasks)
{
	kma_strbuf_printf(&tasks->lines.text, "#tasks %s\n", tasks->events ? "all" : "start");
	kma_task_scan(tasks->root, &tasks->lines);
}

struct kma_tasks *kma_tasks_create(const char *root, const char *tracing, struct kma_err **err)
{
	struct kma_tasks *tasks = kma_xcalloc(1, sizeof(*tasks));

	tasks->root = kma_xstrdup(root);
	*err = kma_task_events_open(root, tracing, &tasks->events);
	kma_tasks_scan(tasks);
	return tasks;
}

void kma_tasks_begin(struct kma_tasks *tasks, const struct kma_log_header *header)
{
	if (tasks && tasks->events && kma_task_events_clock(tasks->events, header))
		kma_tasks_scan(tasks);
}

const struct kma_strbuf *kma_tasks_text(struct kma_tasks *tasks)
{
	struct kma_task_lines *lines;

	if (!tasks)
		return NULL;
	lines = &tasks->lines;
	if (tasks->taken)
		kma_strbuf_deinit(&lines->text);
	tasks->taken = true;
	if (!tasks->events)
		return &lines->text;
	kma_task_events_read(tasks->events, lines);
	if (kma_task_events_lost(tasks->events) > tasks->lost) {
		tasks->lost = kma_task_events_lost(tasks->events);
		kma_strbuf_printf(&lines->text, "#tasks lost %" PRIu64 "\n", tasks->lost);
	}
	return &lines->text;
}

void kma_tasks_destroy(struct kma_tasks *tasks)
{
	if (!tasks)
		return;
	kma_task_events_close(tasks->events);
	kma_task_lines_deinit(&tasks->lines);
	free(tasks->root);
	free(tasks);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat-tasks.c - numbers of up to KMA_DAT_MAX_SITES pairs of a call site and a task.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace-prefix.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/map.h"
#include "trace-dat-sites.h"
#include "trace-dat-tasks.h"

#define KMA_DAT_FLAG_HARDIRQ 0x08 /* TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of the kernel */
#define KMA_DAT_FLAG_SOFTIRQ 0x10

struct kma_dat_task {
	uint32_t site;
	int who;
	uint32_t number;
};

struct kma_dat_tasks {
	struct kma_map map;
	struct kma_dat_task *list;
	size_t room;
};

struct kma_dat_tasks *kma_dat_tasks_create(void)
{
	return kma_xcalloc(1, sizeof(struct kma_dat_tasks));
}

int kma_dat_tasks_who(struct tep_handle *tep, struct tep_record *record)
{
	if (tep_data_flags(tep, record) & (KMA_DAT_FLAG_HARDIRQ | KMA_DAT_FLAG_SOFTIRQ))
		return KMA_DAT_IRQ;
	return tep_data_pid(tep, record);
}

uint32_t *kma_dat_tasks_slot(struct kma_dat_tasks *tasks, uint32_t site, int who)
{
	uint32_t hash = kma_map_number((uint64_t)site << 32 | (uint32_t)who);
	uint32_t found = kma_map_find(&tasks->map, hash, i,
				      tasks->list[i].site == site && tasks->list[i].who == who);

	if (found == KMA_MAP_NONE) {
		if (tasks->map.nr >= KMA_DAT_MAX_SITES)
			return NULL;
		if (!kma_array_room(tasks->list, tasks->map.nr, tasks->room))
			kma_atend_no_memory();
		found = kma_map_add(&tasks->map, hash);
		tasks->list[found] = (struct kma_dat_task){ site, who, KMA_DAT_NONE };
	}
	return &tasks->list[found].number;
}

void kma_dat_tasks_text(struct tep_handle *tep, const char *site, int who, char *buf)
{
	const char *name = KMA_FTRACE_IRQ;
	char *task;

	if (who != KMA_DAT_IRQ)
		name = tep_data_comm_from_pid(tep, who);
	if (!name || !*name || !strcmp(name, "<...>"))
		name = KMA_FTRACE_NO_TASK;
	task = buf + snprintf(buf, KMA_DAT_SITE_MAX, "%s\n", site);
	snprintf(task, KMA_FTRACE_TASK, "%s", name);
	/* A task can choose any name: replace what would end the line. */
	for (; *task; task++)
		if (iscntrl((unsigned char)*task))
			*task = '?';
}

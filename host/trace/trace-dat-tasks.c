// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat-tasks.c - numbers of pairs of a call site and a task: a hash table with open
 * addressing, at most half full, for up to KMA_DAT_MAX_SITES pairs.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ftrace-prefix.h"
#include "trace-dat-sites.h"
#include "trace-dat-tasks.h"

#define KMA_DAT_FLAG_HARDIRQ 0x08 /* TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of the kernel */
#define KMA_DAT_FLAG_SOFTIRQ 0x10

struct kma_dat_task {
	uint32_t site;
	int who;
	uint32_t number;
	bool used;
};

struct kma_dat_tasks {
	struct kma_dat_task *slots; /* open addressing, at most half full */
	size_t nr_slots, nr;
};

struct kma_dat_tasks *kma_dat_tasks_create(void)
{
	struct kma_dat_tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->nr_slots = 1 << 12;
	tasks->slots = calloc(tasks->nr_slots, sizeof(*tasks->slots));
	if (tasks->slots)
		return tasks;
	free(tasks);
	return NULL;
}

int kma_dat_tasks_who(struct tep_handle *tep, struct tep_record *record)
{
	if (tep_data_flags(tep, record) & (KMA_DAT_FLAG_HARDIRQ | KMA_DAT_FLAG_SOFTIRQ))
		return KMA_DAT_IRQ;
	return tep_data_pid(tep, record);
}

static struct kma_dat_task *kma_dat_tasks_find(struct kma_dat_task *slots, size_t nr, uint32_t site,
					       int who)
{
	uint64_t key = (uint64_t)site << 32 | (uint32_t)who;
	size_t i = key * 0x9e3779b97f4a7c15ULL >> 32 & (nr - 1);

	while (slots[i].used && (slots[i].site != site || slots[i].who != who))
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static bool kma_dat_tasks_grow(struct kma_dat_tasks *tasks)
{
	size_t nr = tasks->nr_slots * 2;
	struct kma_dat_task *slots;

	if (tasks->nr * 2 < tasks->nr_slots)
		return true;
	if (tasks->nr >= KMA_DAT_MAX_SITES)
		return false;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < tasks->nr_slots; i++)
		if (tasks->slots[i].used)
			*kma_dat_tasks_find(slots, nr, tasks->slots[i].site, tasks->slots[i].who) =
				tasks->slots[i];
	free(tasks->slots);
	tasks->slots = slots;
	tasks->nr_slots = nr;
	return true;
}

uint32_t *kma_dat_tasks_slot(struct kma_dat_tasks *tasks, uint32_t site, int who)
{
	struct kma_dat_task *slot = kma_dat_tasks_find(tasks->slots, tasks->nr_slots, site, who);

	if (slot->used)
		return &slot->number;
	if (!kma_dat_tasks_grow(tasks))
		return NULL;
	slot = kma_dat_tasks_find(tasks->slots, tasks->nr_slots, site, who);
	*slot = (struct kma_dat_task){ site, who, KMA_DAT_NONE, true };
	tasks->nr++;
	return &slot->number;
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

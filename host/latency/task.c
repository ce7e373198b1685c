// SPDX-License-Identifier: GPL-2.0-only
/*
 * task.c - the state of each task in a log.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/map.h"
#include "task.h"

#define TRIES	    8			    /* tasks that are tried to make space for a new one */
#define MAX_NAME    128			    /* bytes of a function's name; longer ones are cut */
#define MAX_NUMBERS (2 * KMA_LAT_ALL_TASKS) /* then the numbers of dropped tasks are used again */

/* The current task of a CPU, from lines that report a switch of tasks. */
struct now {
	bool known;
	unsigned int pid;
	char comm[KMA_LAT_COMM];
};

/* All tasks, the one that was seen last first. */
TAILQ_HEAD(kma_lat_seen, kma_lat_task);

struct kma_lat_tasks {
	void (*forget)(void *arg, struct kma_lat_task *task);
	void *arg;
	unsigned int nr, nr_cpus;
	struct now *now; /* by CPU */
	struct kma_lat_seen seen;
	struct kma_map map;	   /* by key */
	struct kma_lat_task **all; /* by number of the map; NULL: dropped */
	uint32_t room;		   /* elements of @all */
};

struct kma_lat_tasks *kma_lat_tasks_create(void (*forget)(void *arg, struct kma_lat_task *task),
					   void *arg)
{
	struct kma_lat_tasks *tasks = kma_xcalloc(1, sizeof(*tasks));

	tasks->forget = forget;
	tasks->arg = arg;
	TAILQ_INIT(&tasks->seen);
	return tasks;
}

static void forget(struct kma_lat_tasks *tasks, struct kma_lat_task *task)
{
	tasks->all[task->number] = NULL;
	TAILQ_REMOVE(&tasks->seen, task, seen);
	tasks->nr--;
	tasks->forget(tasks->arg, task);
	kma_strbuf_deinit(&task->names);
	kma_strbuf_deinit(&task->site);
	for (unsigned int i = 0; i < KMA_LAT_MAX_OPEN; i++)
		kma_strbuf_deinit(&task->open[i].line);
	for (unsigned int i = 0; i < KMA_LAT_NR_SLOTS; i++)
		kma_strbuf_deinit(&task->kept[i].line);
	free(task);
}

void kma_lat_tasks_destroy(struct kma_lat_tasks *tasks)
{
	if (!tasks)
		return;
	while (!TAILQ_EMPTY(&tasks->seen))
		forget(tasks, TAILQ_FIRST(&tasks->seen));
	free(tasks->now);
	free(tasks->all);
	kma_map_free(&tasks->map);
	free(tasks);
}

/* Make space for one more task: drop those that were not seen for longest and do not wait. */
static void trim(struct kma_lat_tasks *tasks)
{
	for (unsigned int i = 0; i < TRIES && tasks->nr >= KMA_LAT_MAX_TASKS; i++) {
		struct kma_lat_task *task = TAILQ_LAST(&tasks->seen, kma_lat_seen);

		if (!task->nr_open || tasks->nr >= KMA_LAT_ALL_TASKS) {
			forget(tasks, task);
			continue;
		}
		TAILQ_REMOVE(&tasks->seen, task, seen);
		TAILQ_INSERT_HEAD(&tasks->seen, task, seen);
	}
}

static void set_comm(char *to, const struct kma_lat_text *comm)
{
	size_t len = comm->len < KMA_LAT_COMM - 1 ? comm->len : KMA_LAT_COMM - 1;

	memcpy(to, comm->str, len);
	to[len] = '\0';
}

/* Give a task a number. If too many numbers are of dropped tasks, all tasks get new ones. */
static void add(struct kma_lat_tasks *tasks, struct kma_lat_task *task)
{
	struct kma_lat_task *each;

	if (tasks->map.nr < MAX_NUMBERS) {
		task->number = kma_map_add(&tasks->map, kma_map_number(task->key));
		kma_array_room(tasks->all, task->number, tasks->room);
		tasks->all[task->number] = task;
		return;
	}
	kma_map_free(&tasks->map);
	add(tasks, task);
	TAILQ_FOREACH(each, &tasks->seen, seen)
	add(tasks, each);
}

struct kma_lat_task *kma_lat_tasks_get(struct kma_lat_tasks *tasks, const struct kma_lat_line *line)
{
	struct kma_lat_task *task;
	struct now *now;
	uint32_t number;
	unsigned int pid;
	bool has_pid;
	uint64_t key;

	kma_array_reach(tasks->now, tasks->nr_cpus, line->cpu);
	now = &tasks->now[line->cpu];
	if (line->has_pid && line->what == KMA_LAT_SWITCH) {
		now->known = true;
		now->pid = line->pid;
		set_comm(now->comm, &line->comm);
	}
	has_pid = line->has_pid || now->known;
	pid = line->has_pid ? line->pid : now->pid;
	key = has_pid && pid ? pid : (uint64_t)(1 + has_pid) << 40 | line->cpu;
	number = kma_map_find(&tasks->map, kma_map_number(key), i,
			      tasks->all[i] && tasks->all[i]->key == key);
	task = number == KMA_MAP_NONE ? NULL : tasks->all[number];
	if (task && task == TAILQ_FIRST(&tasks->seen))
		return task;
	if (task) {
		TAILQ_REMOVE(&tasks->seen, task, seen);
	} else {
		trim(tasks);
		task = kma_xcalloc(1, sizeof(*task));
		task->key = key;
		task->has_pid = has_pid;
		task->pid = pid;
		add(tasks, task);
		tasks->nr++;
	}
	TAILQ_INSERT_HEAD(&tasks->seen, task, seen);
	/* A line that reports a switch has only the number of the next task. */
	if (line->has_pid && line->comm.len)
		set_comm(task->comm, &line->comm);
	else if (!line->has_pid)
		memcpy(task->comm, now->comm, sizeof(task->comm));
	return task;
}

void kma_lat_task_close(struct kma_lat_task *task, unsigned int i)
{
	struct kma_lat_open was = task->open[i];

	task->nr_open--;
	memmove(&task->open[i], &task->open[i + 1], (task->nr_open - i) * sizeof(was));
	task->open[task->nr_open] = was;
}

/* The start of a name in the text of all names. */
static uint32_t name_begin(const struct kma_lat_task *task, unsigned int i)
{
	return i ? task->name_ends[i - 1] : 0;
}

static struct kma_lat_text name_at(const struct kma_lat_task *task, unsigned int i)
{
	uint32_t begin = name_begin(task, i);

	return (struct kma_lat_text){ task->names.str + begin, task->name_ends[i] - begin };
}

bool kma_lat_task_function(const struct kma_lat_task *task, unsigned int up,
			   struct kma_lat_text *name)
{
	if (up >= task->depth || task->depth - up > KMA_LAT_MAX_DEPTH)
		return false;
	*name = name_at(task, task->depth - up - 1);
	return name->len > 0;
}

void kma_lat_task_push(struct kma_lat_task *task, const struct kma_lat_text *name)
{
	size_t len = name->len < MAX_NAME ? name->len : MAX_NAME;

	if (task->depth < KMA_LAT_MAX_DEPTH) {
		task->names.len = name_begin(task, task->depth);
		kma_strbuf_add(&task->names, name->str, len);
		task->name_ends[task->depth] = task->names.len;
	}
	task->depth += task->depth < UINT32_MAX;
}

bool kma_lat_task_pop(struct kma_lat_task *task, struct kma_lat_text *name)
{
	unsigned int i = task->depth;

	if (!i)
		return name->len > 0;
	if (i > KMA_LAT_MAX_DEPTH) {
		task->depth--;
		return name->len > 0;
	}
	if (!name->len) {
		*name = name_at(task, --task->depth);
		return name->len > 0;
	}
	/* Functions within the named one have ended, too. If it is not open, it began earlier. */
	for (; i > 0; i--) {
		struct kma_lat_text open = name_at(task, i - 1);

		if (kma_lat_same(&open, name))
			break;
	}
	if (i)
		task->depth = i - 1;
	return true;
}

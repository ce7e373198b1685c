// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-tasks.c - the names and cgroups of the tasks of an event log. The lines are:
 *
 *	#tasks all				the recorder has recorded changes, too
 *	#tasks start				it could not: only the start of the log is known
 *	#tasks lost N				N changes were lost
 *	#cgroup NUMBER PATH			name of a number that other lines use
 *	#task TID TGID KTHREAD CGROUP NAME	a thread at the start of the log
 *	#fork TIME TID PARENT FLAGS NAME	a new thread, in the cgroup of its parent
 *	#comm TIME TID NAME			a thread has a new name
 *	#move TIME TID CGROUP			a process or thread has moved to another cgroup
 *
 * TIME is in units of the log's clock. Bytes of names that are not printable are escaped (\012).
 * Documentation/format/log.rst describes the lines. Finding a thread is a lookup in a hash table; a
 * move of a process visits all threads, because each thread has its own copy of the cgroup.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "log-tasks.h"

#define KMA_TASKS_CGROUPS_MAX (1U << 20) /* A line with a higher number is corrupt. */
#define KMA_TASKS_TEXT_MAX    (KMA_INTERN_MAX_TEXT - 1)
#define KMA_TASKS_KTHREADD    2	      /* thread ID of kthreadd, the parent of kernel threads */
#define KMA_TASKS_THREAD      0x10000 /* CLONE_THREAD */

enum kma_change_type { KMA_CHANGE_TASK, KMA_CHANGE_FORK, KMA_CHANGE_COMM, KMA_CHANGE_MOVE };

struct kma_log_change {
	uint64_t time;	/* ns; TASK: 0 */
	uint32_t order; /* number of the line, for lines with the same time */
	uint32_t tid;
	uint32_t other;	       /* TASK: process ID. FORK: thread ID of the parent */
	uint32_t comm, cgroup; /* numbers in kma_log_tasks.names */
	uint8_t type;	       /* enum kma_change_type */
	bool flag;	       /* TASK: a kernel thread. FORK: a thread of the parent's process */
};

/* Get the next byte of a name; "\012" is an escaped byte. */
static unsigned char tasks_byte(const char **p)
{
	const char *from = *p;
	unsigned int byte = 0;

	for (int i = 1; i <= 3 && *from == '\\'; i++) {
		if (from[i] < '0' || from[i] > '7')
			return *(*p)++;
		byte = byte << 3 | (from[i] - '0');
	}
	*p += *from == '\\' ? 4 : 1;
	return *from == '\\' ? (unsigned char)byte : (unsigned char)*from;
}

/* Number of the name up to the end of the line. Control characters are replaced by "?". */
static uint32_t tasks_name(struct kma_log_tasks *tasks, const char *p)
{
	char name[KMA_TASKS_TEXT_MAX];
	size_t len = 0;

	while (*p && *p != '\n' && len < sizeof(name)) {
		unsigned char byte = tasks_byte(&p);

		name[len++] = byte < ' ' || byte == 0x7f ? '?' : byte;
	}
	return len ? kma_intern(tasks->names, KMA_KIND_UNKNOWN, name, len) : KMA_INTERN_REST;
}

/* Parse the next @nr numbers of a line, each followed by a space or the end of the line. */
static bool tasks_numbers(const char **line, uint64_t *ret, unsigned int nr)
{
	const char *p = *line;

	/* sscanf() would search for the end of the whole text first, for each line. */
	for (unsigned int i = 0; i < nr; i++) {
		char *end;

		ret[i] = strtoull(p, &end, 10);
		if (end == p || *p < '0' || *p > '9' || (*end != ' ' && *end != '\n'))
			return false;
		p = end + (*end == ' ');
	}
	*line = p;
	return true;
}

static void tasks_add(struct kma_log_tasks *tasks, const struct kma_log_change *change)
{
	kma_array_room(tasks->changes, tasks->nr, tasks->room);
	tasks->changes[tasks->nr] = *change;
	tasks->changes[tasks->nr].order = tasks->nr;
	tasks->nr++;
}

static uint32_t tasks_cgroup(const struct kma_log_tasks *tasks, size_t number)
{
	return number < tasks->nr_cgroups ? tasks->cgroups[number] : KMA_INTERN_REST;
}

static void tasks_take_state(struct kma_log_tasks *tasks, const char *line,
			     const struct kma_log_ticks *ticks)
{
	static const char lost[] = "lost ";

	(void)ticks;
	if (!strncmp(line, "all\n", 4))
		tasks->start = false;
	else if (!strncmp(line, "start\n", 6))
		tasks->start = true;
	else if (!strncmp(line, lost, sizeof(lost) - 1))
		tasks->lost = strtoull(line + sizeof(lost) - 1, NULL, 10);
}

static void tasks_take_cgroup(struct kma_log_tasks *tasks, const char *line,
			      const struct kma_log_ticks *ticks)
{
	uint64_t number;

	(void)ticks;
	if (!tasks_numbers(&line, &number, 1) || number > KMA_TASKS_CGROUPS_MAX)
		return;
	if (number >= tasks->nr_cgroups) {
		size_t nr = number * 2 + 64;
		uint32_t *more = kma_xrealloc(tasks->cgroups, nr, sizeof(*more));

		for (size_t i = tasks->nr_cgroups; i < nr; i++)
			more[i] = KMA_INTERN_REST;
		tasks->cgroups = more;
		tasks->nr_cgroups = nr;
	}
	tasks->cgroups[number] = tasks_name(tasks, line);
}

static void tasks_take_task(struct kma_log_tasks *tasks, const char *line,
			    const struct kma_log_ticks *ticks)
{
	uint64_t n[4]; /* thread, process, whether of the kernel, cgroup */

	(void)ticks;
	if (!tasks_numbers(&line, n, ARRAY_SIZE(n)))
		return;
	tasks_add(tasks, &(struct kma_log_change){
				 .type = KMA_CHANGE_TASK,
				 .tid = n[0],
				 .other = n[1],
				 .flag = n[2],
				 .cgroup = tasks_cgroup(tasks, n[3]),
				 .comm = tasks_name(tasks, line),
			 });
}

static void tasks_take_fork(struct kma_log_tasks *tasks, const char *line,
			    const struct kma_log_ticks *ticks)
{
	uint64_t n[4]; /* time, thread, parent, flags */

	if (!tasks_numbers(&line, n, ARRAY_SIZE(n)))
		return;
	tasks_add(tasks, &(struct kma_log_change){
				 .type = KMA_CHANGE_FORK,
				 .time = kma_log_ticks_ns(ticks, n[0]),
				 .tid = n[1],
				 .other = n[2],
				 .flag = n[3] & KMA_TASKS_THREAD,
				 .comm = tasks_name(tasks, line),
			 });
}

static void tasks_take_comm(struct kma_log_tasks *tasks, const char *line,
			    const struct kma_log_ticks *ticks)
{
	uint64_t n[2]; /* time, thread */

	if (!tasks_numbers(&line, n, ARRAY_SIZE(n)))
		return;
	tasks_add(tasks, &(struct kma_log_change){
				 .type = KMA_CHANGE_COMM,
				 .time = kma_log_ticks_ns(ticks, n[0]),
				 .tid = n[1],
				 .comm = tasks_name(tasks, line),
			 });
}

static void tasks_take_move(struct kma_log_tasks *tasks, const char *line,
			    const struct kma_log_ticks *ticks)
{
	uint64_t n[3]; /* time, thread, cgroup */

	if (!tasks_numbers(&line, n, ARRAY_SIZE(n)))
		return;
	tasks_add(tasks, &(struct kma_log_change){
				 .type = KMA_CHANGE_MOVE,
				 .time = kma_log_ticks_ns(ticks, n[0]),
				 .tid = n[1],
				 .cgroup = tasks_cgroup(tasks, n[2]),
			 });
}

static const struct {
	const char *head;
	void (*take)(struct kma_log_tasks *tasks, const char *line,
		     const struct kma_log_ticks *ticks);
} kma_tasks_lines[] = {
	{ "#tasks ", tasks_take_state }, { "#cgroup ", tasks_take_cgroup },
	{ "#task ", tasks_take_task },	 { "#fork ", tasks_take_fork },
	{ "#comm ", tasks_take_comm },	 { "#move ", tasks_take_move },
};

bool kma_log_tasks_parse(struct kma_log_tasks *tasks, const char *line,
			 const struct kma_log_ticks *ticks)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_tasks_lines); i++) {
		size_t len = strlen(kma_tasks_lines[i].head);

		if (strncmp(line, kma_tasks_lines[i].head, len))
			continue;
		if (!tasks->names)
			tasks->names = kma_intern_new();
		tasks->known = true;
		kma_tasks_lines[i].take(tasks, line + len, ticks);
		return true;
	}
	return false;
}

static int tasks_compare(const void *a, const void *b)
{
	const struct kma_log_change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void kma_log_tasks_sort(struct kma_log_tasks *tasks)
{
	if (tasks->nr)
		qsort(tasks->changes, tasks->nr, sizeof(*tasks->changes), tasks_compare);
	tasks->next = tasks->nr ? tasks->changes[0].time : UINT64_MAX;
}

/*
 * The thread at the time of the last kma_log_tasks_apply(), valid until the next one; NULL if it is
 * unknown.
 */
static const struct kma_log_task *log_tasks_find(const struct kma_log_tasks *tasks, uint32_t tid)
{
	uint32_t found =
		kma_map_find(&tasks->by_tid, kma_map_number(tid), i, tasks->tasks[i].tid == tid);

	return found == KMA_MAP_NONE ? NULL : &tasks->tasks[found];
}

static void tasks_fork(const struct kma_log_tasks *tasks, const struct kma_log_change *change,
		       struct kma_log_task *task)
{
	const struct kma_log_task *parent = log_tasks_find(tasks, change->other);

	task->comm = change->comm;
	task->cgroup = parent ? parent->cgroup : KMA_INTERN_REST;
	task->tgid = change->flag && parent ? parent->tgid : change->tid;
	task->kthread = change->other == KMA_TASKS_KTHREADD;
}

/* Move a thread to another cgroup. If it is the main thread, the whole process moves. */
static void tasks_move(const struct kma_log_tasks *tasks, const struct kma_log_change *change,
		       struct kma_log_task *task)
{
	task->cgroup = change->cgroup;
	for (size_t i = 0; i < tasks->by_tid.nr && task->tgid == task->tid; i++)
		if (tasks->tasks[i].tgid == task->tid)
			tasks->tasks[i].cgroup = change->cgroup;
}

static void tasks_change(struct kma_log_tasks *tasks, const struct kma_log_change *change)
{
	struct kma_log_task *task = (struct kma_log_task *)log_tasks_find(tasks, change->tid);

	if (!task) {
		kma_array_room(tasks->tasks, tasks->by_tid.nr, tasks->room_tasks);
		task = &tasks->tasks[kma_map_add(&tasks->by_tid, kma_map_number(change->tid))];
		*task = (struct kma_log_task){ .tid = change->tid, .tgid = change->tid };
	}
	switch ((enum kma_change_type)change->type) {
	case KMA_CHANGE_TASK:
		task->comm = change->comm;
		task->cgroup = change->cgroup;
		task->tgid = change->other;
		task->kthread = change->flag;
		break;
	case KMA_CHANGE_FORK:
		tasks_fork(tasks, change, task);
		break;
	case KMA_CHANGE_COMM:
		task->comm = change->comm;
		break;
	case KMA_CHANGE_MOVE:
		tasks_move(tasks, change, task);
		break;
	}
}

void kma_log_tasks_apply(struct kma_log_tasks *tasks, uint64_t time)
{
	while (tasks->at < tasks->nr && tasks->changes[tasks->at].time <= time)
		tasks_change(tasks, &tasks->changes[tasks->at++]);
	tasks->next = tasks->at < tasks->nr ? tasks->changes[tasks->at].time : UINT64_MAX;
}

uint32_t kma_log_tasks_owner(const struct kma_log_tasks *tasks, const struct kma_log_item *item,
			     bool cgroup, const char **name)
{
	static const char *const named[][2] = {
		[KMA_LOG_OWNER_IRQ] = { "[irq]", "[irq]" },
		[KMA_LOG_OWNER_UNKNOWN] = { "[task not in the log]", "[cgroup not in the log]" },
		[KMA_LOG_OWNER_IDLE] = { "<idle>", "[kthread]" },
		[KMA_LOG_OWNER_KTHREAD] = { "", "[kthread]" },
	};
	uint32_t number = KMA_INTERN_REST, row = KMA_LOG_OWNER_UNKNOWN;
	const struct kma_log_task *task = NULL;
	enum kma_kind kind;
	size_t len;

	if (!item->irq && item->tid)
		task = log_tasks_find(tasks, item->tid);
	if (item->irq)
		row = KMA_LOG_OWNER_IRQ;
	else if (!item->tid)
		row = KMA_LOG_OWNER_IDLE;
	else if (task && task->kthread && cgroup)
		row = KMA_LOG_OWNER_KTHREAD;
	else if (task)
		number = cgroup ? task->cgroup : task->comm;
	if (number == KMA_INTERN_REST) {
		*name = named[row][cgroup];
		return row;
	}
	*name = kma_intern_site(tasks->names, number, &kind, &len);
	return KMA_LOG_OWNER_NAMED + number;
}

void kma_log_tasks_free(struct kma_log_tasks *tasks)
{
	kma_intern_destroy(tasks->names);
	free(tasks->changes);
	free(tasks->cgroups);
	free(tasks->tasks);
	kma_map_free(&tasks->by_tid);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * task-events.c - new tasks, new names and new cgroups, from an instance of ftrace.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "ring-page.h"
#include "task-events.h"
#include "task-scan.h"

#define KMA_TASK_INSTANCE   "instances/kmem_account_record"
#define KMA_TASK_FIELDS	    5		   /* most fields of a form, including the NULL */
#define KMA_TASK_INTO	    0x200000000ULL /* CLONE_INTO_CGROUP */
#define KMA_TASK_PAGE	    65536	   /* bytes of the largest page of a kernel */
#define KMA_TASK_CLOCK	    32		   /* bytes of a clock's name */
#define KMA_TASK_OF_COUNTER "x86-tsc"

enum { KMA_TASK_NEW, KMA_TASK_RENAME, KMA_TASK_MOVE, KMA_TASK_NR_FORMS };

struct kma_task_form {
	int id;
	struct kma_ring_field fields[KMA_TASK_FIELDS];
};

/* The tracepoints. A kernel without cgroups has no move; the other two are required. */
static const struct {
	const char *path;
	const char *names[KMA_TASK_FIELDS];
	bool needed;
} kma_task_forms[KMA_TASK_NR_FORMS] = {
	[KMA_TASK_NEW] = { "events/task/task_newtask",
			   { "common_pid", "pid", "comm", "clone_flags", NULL },
			   true },
	[KMA_TASK_RENAME] = { "events/task/task_rename",
			      { "common_pid", "pid", "newcomm", NULL },
			      true },
	[KMA_TASK_MOVE] = { "events/cgroup/cgroup_attach_task",
			    { "dst_root", "pid", "dst_path", NULL },
			    false },
};

/* Index of a field in the names above. */
enum { KMA_BY_PID, KMA_OF_PID, KMA_OF_TEXT, KMA_OF_FLAGS };

struct kma_task_events {
	char *root, *dir;
	struct kma_task_form forms[KMA_TASK_NR_FORMS];
	struct kma_ring_field type; /* number of the tracepoint, in each event */
	int *fds;		    /* trace_pipe_raw of each CPU */
	size_t nr_fds, room_fds;
	size_t head;		/* bytes before the events of a page */
	unsigned int hierarchy; /* number of the hierarchy of cgroups that is recorded */
	char clock[KMA_TASK_CLOCK];
	bool convert; /* the clock is CLOCK_MONOTONIC, and the log has a counter */
	struct kma_log_header header;
	uint64_t lost; /* events, as far as ftrace counts them */
	unsigned char page[KMA_TASK_PAGE];
};

static char *task_slurp(const char *dir, const char *name)
{
	_cleanup_free_ char *path = NULL;
	char *text = NULL;
	size_t len;

	path = kma_xasprintf("%s/%s", dir, name);
	kma_err_destroy(kma_file_slurp_regular(path, &text, &len));
	return text;
}

static struct kma_err *task_write(const char *dir, const char *name, const char *value)
{
	_cleanup_free_ char *path = NULL;
	struct kma_err *err = NULL;
	int fd;

	path = kma_xasprintf("%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		err = kma_err_create(path, 0, "cannot write '%s': %s", value, strerror(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

/* Remove the instance and all of its settings. */
static void task_remove(const char *dir)
{
	if (rmdir(dir) && errno == EBUSY) {
		/* The file of the last CPU was closed just now. */
		usleep(100000);
		rmdir(dir);
	}
}

static struct kma_err *task_find_form(const struct kma_task_events *events, unsigned int which,
				      struct kma_task_form *ret)
{
	_cleanup_free_ char *path = NULL, *text = NULL;

	ret->id = -1;
	path = kma_xasprintf("%s/format", kma_task_forms[which].path);
	text = task_slurp(events->dir, path);
	if (text)
		ret->id = kma_ring_format(text, kma_task_forms[which].names, ret->fields);
	if (ret->id < 0 && kma_task_forms[which].needed)
		return kma_err_create(events->dir, 0, "the kernel has no %s",
				      kma_task_forms[which].path);
	return NULL;
}

/* Find the parts of an event and of a page that are the same for all tracepoints. */
static struct kma_err *task_find_layout(struct kma_task_events *events)
{
	static const char *const type[] = { "common_type", NULL };
	static const char *const data[] = { "data", NULL };
	_cleanup_free_ char *format = NULL, *page = NULL;
	struct kma_ring_field start;
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < KMA_TASK_NR_FORMS; i++) {
		err = task_find_form(events, i, &events->forms[i]);
		if (err)
			return err;
	}
	format = task_slurp(events->dir, "events/task/task_newtask/format");
	page = task_slurp(events->dir, "../../events/header_page");
	if (!format || !page)
		return kma_err_create(events->dir, 0, "cannot read the layout of the events");
	kma_ring_format(format, type, &events->type);
	kma_ring_format(page, data, &start);
	events->head = start.offset;
	return NULL;
}

static struct kma_err *task_open_cpus(struct kma_task_events *events)
{
	for (unsigned int cpu = 0;; cpu++) {
		_cleanup_free_ char *path = NULL;
		int fd;

		path = kma_xasprintf("%s/per_cpu/cpu%u/trace_pipe_raw", events->dir, cpu);
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno == ENOENT && cpu)
			return NULL;
		if (fd < 0)
			return kma_err_create(path, 0, "cannot open: %s", strerror(errno));
		kma_array_room(events->fds, events->nr_fds, events->room_fds);
		events->fds[events->nr_fds++] = fd;
	}
}

static struct kma_err *task_set_clock(struct kma_task_events *events, const char *clock)
{
	struct kma_err *err = task_write(events->dir, "trace_clock", clock);

	if (err)
		return err;
	snprintf(events->clock, sizeof(events->clock), "%s", clock);
	return NULL;
}

/* Set the clock that the log will probably have; its header, which says it, does not exist yet. */
static struct kma_err *task_guess_clock(struct kma_task_events *events)
{
	_cleanup_free_ char *source = NULL;

	source = task_slurp(events->root,
			    "sys/devices/system/clocksource/clocksource0/current_clocksource");
	return task_set_clock(events,
			      source && !strcmp(source, "tsc\n") ? KMA_TASK_OF_COUNTER : "mono");
}

static struct kma_err *task_enable(struct kma_task_events *events)
{
	struct kma_err *err = NULL;

	for (unsigned int i = 0; i < KMA_TASK_NR_FORMS; i++) {
		char name[80];

		if (events->forms[i].id < 0)
			continue;
		snprintf(name, sizeof(name), "%s/enable", kma_task_forms[i].path);
		err = task_write(events->dir, name, "1");
		if (err)
			return err;
	}
	return NULL;
}

static void task_close(struct kma_task_events **events)
{
	kma_task_events_close(*events);
}

struct kma_err *kma_task_events_open(const char *root, const char *tracing,
				     struct kma_task_events **ret)
{
	_cleanup_(task_close) struct kma_task_events *events = kma_xcalloc(1, sizeof(*events));
	struct kma_err *err;

	*ret = NULL;
	events->root = kma_xstrdup(root);
	events->dir = kma_xasprintf("%s/%s", tracing, KMA_TASK_INSTANCE);
	task_remove(events->dir);
	if (mkdir(events->dir, 0700) && errno != EEXIST)
		return kma_err_create(NULL, 0, "cannot create %s: %s", events->dir,
				      strerror(errno));
	events->hierarchy = kma_task_scan_hierarchy(root);
	err = task_find_layout(events);
	if (err)
		return err;
	err = task_guess_clock(events);
	if (err)
		return err;
	err = task_open_cpus(events);
	if (err)
		return err;
	err = task_enable(events);
	if (err)
		return err;
	*ret = events;
	events = NULL;
	return NULL;
}

void kma_task_events_close(struct kma_task_events *events)
{
	if (!events)
		return;
	for (size_t i = 0; i < events->nr_fds; i++)
		close(events->fds[i]);
	task_remove(events->dir);
	free(events->fds);
	free(events->dir);
	free(events->root);
	free(events);
}

bool kma_task_events_clock(struct kma_task_events *events, const struct kma_log_header *header)
{
	static const char *const clocks[] = {
		[KMA_LOG_CLOCK_LOCAL] = "perf",
		[KMA_LOG_CLOCK_MONO] = "mono",
		[KMA_LOG_CLOCK_COUNTER] = KMA_TASK_OF_COUNTER,
	};
	struct kma_err *err;

	events->header = *header;
	if (header->clock >= ARRAY_SIZE(clocks) || !strcmp(events->clock, clocks[header->clock]))
		return false;
	err = task_set_clock(events, clocks[header->clock]);
	if (err) {
		/* ftrace does not have this counter. */
		kma_err_destroy(err);
		events->convert = true;
		kma_err_destroy(task_set_clock(events, "mono"));
	}
	/* Setting a clock empties the buffer of ftrace. */
	return true;
}

/* Convert a time of the trace to units of the log's clock. */
static uint64_t task_time(const struct kma_task_events *events, uint64_t time)
{
	const struct kma_log_header *header = &events->header;
	const int64_t second = 1000000000, rate = header->rate;
	int64_t since = time - header->mono;

	if (!events->convert)
		return time;
	/* Whole seconds separately, so that no product exceeds 64 bits. */
	return header->start + since / second * rate + since % second * rate / second;
}

static void task_take_new(struct kma_task_events *events, const struct kma_ring_event *event,
			  uint64_t time, struct kma_task_lines *lines)
{
	const struct kma_ring_field *fields = events->forms[KMA_TASK_NEW].fields;
	uint64_t flags = kma_ring_number(event, &fields[KMA_OF_FLAGS]);
	uint32_t tid = kma_ring_number(event, &fields[KMA_OF_PID]);
	const char *comm;
	size_t len;

	comm = kma_ring_text(event, &fields[KMA_OF_TEXT], false, &len);
	kma_task_lines_fork(lines, time, tid, kma_ring_number(event, &fields[KMA_BY_PID]), flags,
			    comm, len);
	/* It starts in another cgroup than its parent. If it has ended, that cgroup is unknown. */
	if (flags & KMA_TASK_INTO)
		kma_task_lines_move(lines, time, tid,
				    kma_task_scan_cgroup(events->root, tid, lines));
}

static void task_take_rename(struct kma_task_events *events, const struct kma_ring_event *event,
			     uint64_t time, struct kma_task_lines *lines)
{
	const struct kma_ring_field *fields = events->forms[KMA_TASK_RENAME].fields;
	/* Without the field pid, the task has renamed itself. */
	unsigned int who = fields[KMA_OF_PID].size ? KMA_OF_PID : KMA_BY_PID;
	const char *comm;
	size_t len;

	comm = kma_ring_text(event, &fields[KMA_OF_TEXT], false, &len);
	kma_task_lines_rename(lines, time, kma_ring_number(event, &fields[who]), comm, len);
}

static void task_take_move(struct kma_task_events *events, const struct kma_ring_event *event,
			   uint64_t time, struct kma_task_lines *lines)
{
	const struct kma_ring_field *fields = events->forms[KMA_TASK_MOVE].fields;
	const char *path;
	size_t len;

	if (kma_ring_number(event, &fields[KMA_BY_PID]) != events->hierarchy)
		return;
	path = kma_ring_text(event, &fields[KMA_OF_TEXT], true, &len);
	kma_task_lines_move(lines, time, kma_ring_number(event, &fields[KMA_OF_PID]),
			    kma_task_lines_cgroup(lines, path, len));
}

typedef void (*kma_task_take_fn)(struct kma_task_events *events, const struct kma_ring_event *event,
				 uint64_t time, struct kma_task_lines *lines);

static void task_take(struct kma_task_events *events, const struct kma_ring_event *event,
		      struct kma_task_lines *lines)
{
	static const kma_task_take_fn takes[] = {
		[KMA_TASK_NEW] = task_take_new,
		[KMA_TASK_RENAME] = task_take_rename,
		[KMA_TASK_MOVE] = task_take_move,
	};
	int id = kma_ring_number(event, &events->type);

	for (unsigned int i = 0; i < KMA_TASK_NR_FORMS; i++)
		if (events->forms[i].id == id)
			takes[i](events, event, task_time(events, event->time), lines);
}

static bool task_read_page(struct kma_task_events *events, int fd, struct kma_task_lines *lines)
{
	ssize_t len = read(fd, events->page, sizeof(events->page));
	struct kma_ring_event event;
	struct kma_ring_page page;

	if (len <= 0 || !kma_ring_page_init(&page, events->page, len, events->head))
		return false;
	events->lost += page.lost;
	while (kma_ring_page_next(&page, &event))
		task_take(events, &event, lines);
	return true;
}

void kma_task_events_read(struct kma_task_events *events, struct kma_task_lines *lines)
{
	for (size_t i = 0; i < events->nr_fds; i++)
		while (task_read_page(events, events->fds[i], lines))
			;
}

uint64_t kma_task_events_lost(const struct kma_task_events *events)
{
	return events->lost;
}

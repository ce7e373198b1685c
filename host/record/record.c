// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - record the module's event log into a file.
 *
 * The file has the header of the log, symbols and nodes, the streams of the CPUs in chunks, symbols
 * of modules and changes of tasks in between, and the totals. The totals are its last bytes: a file
 * without them is truncated (Documentation/format/log.rst).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../module/uapi/kmem_account.h"
#include "../../module/uapi/version.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/module-files.h"
#include "lib/strbuf.h"
#include "output.h"
#include "record.h"
#include "ring-page.h"
#include "task-lines.h"
#include "task-scan.h"

/*
 * The files of the event log in debugfs. The module creates the directory kmem_account/trace/ with
 * "log on" and removes it with "log free". A file that cannot be opened is an error, not an empty
 * file: its buffer may contain events that exist nowhere else, and "log on" frees the buffers.
 */

static struct kma_err *log_files_error(const char *path, int why)
{
	return kma_err_create_kind(
		KMA_ERR_NOT_READABLE, path, 0, "cannot open: %s%s", strerror(why),
		why == EPERM ?
			"; an event log contains addresses: reading it needs CAP_SYSLOG and CAP_PERFMON" :
			"");
}

/* Checks that a file can be opened. If a capability is missing, the error names it. */
static struct kma_err *log_files_readable(const char *path)
{
	struct kma_err *err;
	int fd;

	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &fd, NULL);
	if (err && errno == EPERM) {
		kma_err_destroy(err);
		return log_files_error(path, EPERM);
	}
	if (err)
		return err;
	close(fd);
	return NULL;
}

/* Does a CPU have unread data, or will it get some? Otherwise poll(2) reports POLLHUP. */
static bool log_files_polls(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return !poll(&pfd, 1, 0) || !(pfd.revents & (POLLHUP | POLLERR));
}

/* A listed file may be gone: "log free" removes the files of the CPUs. */
static struct kma_err *log_files_busy_cpu(const char *path, bool *busy)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? NULL : log_files_error(path, errno);
	*busy = *busy || log_files_polls(fd);
	close(fd);
	return NULL;
}

/*
 * Tests whether an event log is on or has unread data; nothing is read. @dir, trace/, need not
 * exist. After an error it is unknown whether there is unread data.
 */
static struct kma_err *log_files_busy(const char *dir, bool *busy)
{
	struct kma_err *err = NULL;
	const struct dirent *entry;
	char path[PATH_MAX];
	DIR *stream = opendir(dir);

	*busy = false;
	if (!stream)
		return errno == ENOENT ? NULL : log_files_error(dir, errno);
	while (!err && (entry = readdir(stream))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (!strncmp(entry->d_name, "cpu", 3))
			err = log_files_busy_cpu(path, busy);
		else if (!strcmp(entry->d_name, "header"))
			err = log_files_readable(path);
	}
	closedir(stream);
	*busy = *busy && !err;
	return err;
}

/*
 * Follow new tasks, new names and new cgroups while the log is on.
 *
 * The source is an instance of ftrace that belongs to the recorder alone, with the tracepoints
 * task_newtask, task_rename and, if there are cgroups, cgroup_attach_task. Its raw pages are read
 * (ring-page.h), because names in its text could contain newlines.
 *
 * The instance has the clock of the event log. On x86 this is the same counter, so the times of
 * both compare exactly. If ftrace does not have that clock, CLOCK_MONOTONIC is used and converted
 * to units of the counter; the error is a few millionths of the time since the log was switched on.
 *
 * The instance is removed at the end. If a killed recorder has left one, the next recorder removes
 * it. Events that ftrace lost are counted.
 *
 * Locking: none; one thread.
 */

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

/* Stop following, and remove the instance. */
static void task_events_close(struct kma_task_events *events)
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

static void task_close(struct kma_task_events **events)
{
	task_events_close(*events);
}

/* Begin to follow the tasks. */
static struct kma_err *task_events_open(const char *root, const char *tracing,
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

/* Set the clock of the instance to that of the log. */
static bool task_events_clock(struct kma_task_events *events, const struct kma_log_header *header)
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

/* Add a line for each event since the last call. */
static void task_events_read(struct kma_task_events *events, struct kma_task_lines *lines)
{
	for (size_t i = 0; i < events->nr_fds; i++)
		while (task_read_page(events, events->fds[i], lines))
			;
}

static uint64_t task_events_lost(const struct kma_task_events *events)
{
	return events->lost;
}

/*
 * The recorded machine: its debugfs, the module's parameters and control file.
 *
 * Every change is undone by target_close(). Before a setting is changed, its old value is
 * stored in the file /run/kmem-account.record, so that the next target_open() restores it after
 * a SIGKILL. The file identifies the boot and the load of the module, because another load has its
 * own parameters. It also identifies the log, which older recorders ended by it. Without a
 * directory for the file, nothing can be restored after a SIGKILL, but everything else works.
 *
 * The log of a killed recorder is never ended unread, because its buffers contain events that exist
 * nowhere else. target_left() reports such a log, and target_begin() takes it over if
 * permitted. The file stays until then.
 *
 * These functions never load the module, and never switch the account on or off.
 *
 * Locking: none; one thread. The file is locked (flock(2)), so two recorders cannot run at the same
 * time.
 */

#define KMA_TARGET_PARAMS 2
#define KMA_TARGET_NOTE	  256 /* bytes of the file for the next recorder */

/* Parameters that a recording may change. */
static const char *const target_params[KMA_TARGET_PARAMS] = { "subbufs", "subbuf_size" };

struct kma_target {
	char *root;
	char *debugfs;			 /* where debugfs is mounted, including the root */
	char path[PATH_MAX];		 /* the path that was made last */
	char old[KMA_TARGET_PARAMS][32]; /* values of the parameters before; "": unchanged */
	char boot[40];			 /* ID of this boot */
	unsigned long long load;	 /* of the module, see target_identify() */
	bool mounted;			 /* this program, or a killed recorder, mounted debugfs */
	bool traced;			 /* this program mounted tracefs */
	int note;			 /* the locked file; -1: no directory for it */
	bool note_own;			 /* it has nothing of a killed recorder that was not read */
	bool logged;			 /* "log on" was written: there are buffers to free */
	unsigned long long log;		 /* identifies the log, target_log() */
	bool logging;			 /* @logged, and "log off" was not written yet */
	unsigned long long left; /* the log of a killed recorder, with unread data; 0: none */
};

static const char *target_path(struct kma_target *target, const char *path)
{
	snprintf(target->path, sizeof(target->path), "%s%s", target->root, path);
	return target->path;
}

static const char *target_param(struct kma_target *target, const char *name)
{
	snprintf(target->path, sizeof(target->path), "%s/sys/module/kmem_account/parameters/%s",
		 target->root, name);
	return target->path;
}

/* Get the path of a file of the log. */
static const char *target_trace(struct kma_target *target, const char *name)
{
	snprintf(target->path, sizeof(target->path), "%s/kmem_account/trace%s%s", target->debugfs,
		 *name ? "/" : "", name);
	return target->path;
}

/*
 * Get the directory of tracefs. Mounts tracefs if it is not mounted; target_close() then
 * unmounts it.
 */
static const char *target_tracing(struct kma_target *target)
{
	static const char usual[] = "/sys/kernel/tracing";

	/* Not the directory below debugfs, which the kernel mounts by itself and never unmounts. */
	if (access(target_path(target, "/sys/kernel/tracing/instances"), F_OK) &&
	    !mount("tracefs", target_path(target, usual), "tracefs", 0, NULL))
		target->traced = true;
	return target_path(target, usual);
}

/* Write with one write(2), because the kernel takes the text as a whole. */
static struct kma_err *target_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));
	struct kma_err *err = NULL;

	if (n < 0)
		err = kma_err_create(
			path, 0, "cannot write '%s': %s%s", text, strerror(errno),
			errno == ENOMEM ?
				"; the buffers exceed the free memory or the module's max_memory= (the kernel log has the figures); use fewer sub-buffers (--subbufs N)" :
				"");
	if (fd >= 0)
		close(fd);
	return err;
}

static bool target_read(const char *path, char *to, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, to, room - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return false;
	to[n] = '\0';
	to[strcspn(to, "\n")] = '\0';
	return true;
}

/* Write a command to the module's control file. */
static struct kma_err *target_control(struct kma_target *target, const char *word)
{
	struct kma_err *err;

	err = target_write(target_path(target, KMA_FILE_ACCOUNT), word);
	if (err)
		return err;
	if (!strcmp(word, "log off"))
		target->logging = false;
	return NULL;
}

/*
 * A module that is loaded again gets a new directory in sysfs. The inode number is not used again
 * within a boot (kernfs increments it), unlike the numbers of procfs.
 */
static void target_identify(struct kma_target *target)
{
	const char *path = target_path(target, "/proc/sys/kernel/random/boot_id");
	struct stat st;

	if (!target_read(path, target->boot, sizeof(target->boot)) || !*target->boot)
		strcpy(target->boot, "-");
	if (!stat(target_path(target, "/sys/module/kmem_account"), &st))
		target->load = st.st_ino;
}

/*
 * The file with the settings to restore. It is locked while its recorder lives. Without a directory
 * for it, nothing can be restored after a SIGKILL, but everything else works.
 */
static struct kma_err *target_lock(struct kma_target *target)
{
	const char *path = target_path(target, "/run/kmem-account.record");
	struct stat st = { 0 };

	do {
		if (target->note >= 0)
			close(target->note);
		target->note = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (target->note < 0)
			return NULL;
		if (flock(target->note, LOCK_EX | LOCK_NB)) {
			close(target->note);
			target->note = -1;
			return kma_err_create(
				path, 0, "locked by another 'kmem-account record'; end that first");
		}
		/* Its recorder may have ended and unlinked the file in between. */
	} while (!fstat(target->note, &st) && !st.st_nlink);
	target->note_own = !st.st_size;
	return NULL;
}

/* Identify the current log: the time it was switched on, ns since 1970; 1 if unknown. */
static unsigned long long target_log(struct kma_target *target)
{
	_cleanup_fclose_ FILE *f = NULL;
	struct kma_log_header header;

	if (target->debugfs)
		f = fopen(target_trace(target, "header"), "re");
	if (!f || fread(&header, sizeof(header), 1, f) != 1 || !header.wall)
		return 1;
	return header.wall;
}

/* Write the file for the next recorder, before anything is changed. */
static struct kma_err *target_note(struct kma_target *target)
{
	char text[KMA_TARGET_NOTE];
	int len;

	if (target->note < 0)
		return NULL;
	len = snprintf(text, sizeof(text), "%s %llu %llu %d", target->boot, target->load,
		       target->logged ? target->log : target->left, target->mounted);
	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
		len += snprintf(text + len, sizeof(text) - len, " %s",
				*target->old[i] ? target->old[i] : "-");
	if (ftruncate(target->note, 0) || pwrite(target->note, text, len, 0) != len)
		return kma_err_create(target_path(target, "/run/kmem-account.record"), 0,
				      "cannot write: %s", strerror(errno));
	return NULL;
}

/* Get the value of a parameter of the module. */
static uint64_t target_get(struct kma_target *target, const char *name)
{
	char text[32];

	if (!target_read(target_param(target, name), text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 10);
}

/* Change a parameter of the module. */
static struct kma_err *target_set(struct kma_target *target, const char *name, unsigned long value)
{
	struct kma_err *err = NULL;
	char text[24];

	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++) {
		if (strcmp(target_params[i], name) || *target->old[i])
			continue;
		if (!target_read(target_param(target, name), target->old[i],
				 sizeof(target->old[i])))
			return kma_err_create(target->path, 0, "cannot read: %s", strerror(errno));
		err = target_note(target);
	}
	snprintf(text, sizeof(text), "%lu", value);
	return err ? err : target_write(target_param(target, name), text);
}

static void first_error(struct kma_err **first, struct kma_err *err)
{
	if (*first)
		kma_err_destroy(err);
	else
		*first = err;
}

/*
 * Switch off the log that target_begin() began, and free its buffers. Unread data in the
 * buffers are lost. Another log may begin afterwards.
 */
static struct kma_err *target_end(struct kma_target *target)
{
	struct kma_err *first = NULL;

	if (target->logging)
		first_error(&first, target_control(target, "log off"));
	if (target->logged)
		first_error(&first, target_control(target, "log free"));
	target->logging = target->logged = false;
	return first;
}

/*
 * Leave the log that target_begin() took over to the next recorder. Its buffers stay, with
 * their unread data, and target_left() reports the log again.
 */
static void target_leave(struct kma_target *target)
{
	if (target->logged)
		target->left = target->log;
	target->logging = target->logged = false;
}

static struct kma_err *target_put_back(struct kma_target *target)
{
	struct kma_err *first = target_end(target);

	for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
		if (*target->old[i])
			first_error(&first, target_write(target_param(target, target_params[i]),
							 target->old[i]));
	if (target->traced && umount(target_path(target, "/sys/kernel/tracing")))
		first_error(&first,
			    kma_err_create(target->path, 0, "cannot unmount: %s", strerror(errno)));
	target->traced = false;
	if (target->mounted && umount(target->debugfs))
		first_error(&first, kma_err_create(target->debugfs, 0, "cannot unmount: %s",
						   strerror(errno)));
	return first;
}

/* The next recorder must know that a log with unread data is that of this recorder. */
static void end_note(struct kma_target *target)
{
	if (target->note >= 0 && target->left)
		kma_err_destroy(target_note(target));
	else if (target->note >= 0 && target->note_own)
		unlink(target_path(target, "/run/kmem-account.record"));
}

/*
 * Switch the log off, and restore the other settings, while other threads use the target.
 * Events that were not read stay in the buffers for the next recorder. The program has to end.
 */
static void target_rescue(const struct kma_target *target)
{
	/* The paths of another thread stay as they are. */
	struct kma_target own = *target;

	if (own.logging)
		kma_err_destroy(target_control(&own, "log off"));
	target_leave(&own);
	kma_err_destroy(target_put_back(&own));
	end_note(&own);
}

/* Free the log's buffers, and restore all settings. */
static struct kma_err *target_close(struct kma_target *target)
{
	struct kma_err *err;

	if (!target)
		return NULL;
	err = target_put_back(target);
	end_note(target);
	if (target->note >= 0)
		close(target->note);
	free(target->debugfs);
	free(target->root);
	free(target);
	return err;
}

/* Is a log on, or does it have unread data? Without debugfs there is no file of a log. */
static struct kma_err *target_busy(struct kma_target *target, bool *busy)
{
	*busy = false;
	return target->debugfs ? log_files_busy(target_trace(target, ""), busy) : NULL;
}

/*
 * Read the file of a killed recorder, and restore the parameters. Values of another load of the
 * module, or of another boot, no longer apply.
 *
 * The log stays on or off, because its buffers have unread events. The time at which it was
 * switched on identifies it.
 */
static struct kma_err *target_repair(struct kma_target *target)
{
	char note[KMA_TARGET_NOTE], boot[40], old[KMA_TARGET_PARAMS][32];
	struct kma_err *err = NULL;
	unsigned long long load, log;
	int mounted;
	ssize_t len;

	len = target->note < 0 ? 0 : pread(target->note, note, sizeof(note) - 1, 0);
	target->note_own = true;
	if (len <= 0)
		return NULL;
	note[len] = '\0';
	if (sscanf(note, "%39s %llu %llu %d %31s %31s", boot, &load, &log, &mounted, old[0],
		   old[1]) != 6 ||
	    strcmp(boot, target->boot))
		return NULL;
	if (load == target->load) {
		for (unsigned int i = 0; i < KMA_TARGET_PARAMS; i++)
			if (strcmp(old[i], "-"))
				strcpy(target->old[i], old[i]);
		err = target_put_back(target);
		memset(target->old, 0, sizeof(target->old));
		/* target_find() tests whether that log still exists. */
		if (log > 1)
			target->left = log;
	}
	/* If the killed recorder has mounted debugfs, this one unmounts it at its end. */
	target->mounted = mounted;
	return err;
}

/* Find debugfs in /proc/mounts. If it is not there, it is not mounted yet. */
static void target_debugfs(struct kma_target *target)
{
	_cleanup_fclose_ FILE *f = fopen(target_path(target, "/proc/mounts"), "re");
	char line[PATH_MAX + 64], where[PATH_MAX], kind[64];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %4095s %63s", where, kind) == 2 && !strcmp(kind, "debugfs")) {
			target->debugfs = kma_xasprintf("%s%s", target->root, where);
			return;
		}
}

static struct kma_err *target_mount(struct kma_target *target)
{
	static const char usual[] = "/sys/kernel/debug";

	if (target->debugfs)
		return NULL;
	target->mounted = false;
	target->debugfs = kma_xasprintf("%s%s", target->root, usual);
	if (mount("debugfs", target->debugfs, "debugfs", 0, NULL))
		return kma_err_create(target->debugfs, 0, "cannot mount debugfs: %s",
				      strerror(errno));
	target->mounted = true;
	return target_note(target);
}

/* Test for unread data of a killed recorder. */
static bool target_left(const struct kma_target *target)
{
	return target->left;
}

/*
 * Test whether target_begin() would succeed. Called before long preparations, so that these are not
 * wasted.
 */
static struct kma_err *target_may_begin(struct kma_target *target, bool attach)
{
	struct kma_err *err;
	bool busy;

	err = target_busy(target, &busy);
	if (err)
		return err;
	if (!attach && busy)
		return kma_err_create(
			target_trace(target, ""), 0,
			"the event log is on or has unread data; record it with --attach, or discard it with 'log free'");
	if (attach && !busy)
		return kma_err_create(target_trace(target, ""), 0,
				      "--attach: the event log is off and has no unread data");
	return NULL;
}

/*
 * Switch the log on, or take over an existing log. From here on target_close() switches the
 * log off, and frees its buffers.
 */
static struct kma_err *target_begin(struct kma_target *target, bool attach)
{
	struct kma_err *err = target_may_begin(target, attach);

	if (err)
		return err;
	target->logged = target->logging = true;
	target->left = 0;
	target->log = attach ? target_log(target) : 1;
	err = target_note(target);
	if (err || attach)
		return err;
	err = target_control(target, "log on");
	if (err)
		return err;
	target->log = target_log(target);
	return target_note(target);
}

/*
 * Refuse before anything is changed: under these settings the module gives no event log to any
 * reader, because the log contains addresses (module/guard/access.h).
 */
static struct kma_err *target_addresses(struct kma_target *target)
{
	const char *path = target_path(target, "/proc/sys/kernel/kptr_restrict");
	char text[80];

	if (target_read(path, text, sizeof(text)) && *text > '1')
		return kma_err_create(
			path, 0,
			"is %s, which hides addresses from all readers, and an event log contains addresses; set it to 0 or 1 while you record",
			text);
	path = target_path(target, "/sys/kernel/security/lockdown");
	if (target_read(path, text, sizeof(text)) && strstr(text, "[confidentiality]"))
		return kma_err_create(
			path, 0,
			"is 'confidentiality', which hides addresses from all readers, and an event log contains addresses; record after a boot without it");
	return NULL;
}

/* Is the log of the killed recorder still there, with unread data? */
static struct kma_err *target_test_left(struct kma_target *target)
{
	struct kma_err *err;
	bool busy;

	if (!target->left)
		return NULL;
	err = target_busy(target, &busy);
	if (err)
		return err;
	if (!busy || target->left != target_log(target))
		target->left = 0;
	return NULL;
}

static struct kma_err *target_find(struct kma_target *target)
{
	bool busy;
	struct kma_err *err = target_addresses(target);

	if (err)
		return err;
	if (access(target_path(target, KMA_FILE_ACCOUNT), W_OK))
		return kma_err_create(target->path, 0, "cannot write: %s%s", strerror(errno),
				      errno == ENOENT ? "; load the module first" : "");
	target_identify(target);
	err = target_lock(target);
	if (err)
		return err;
	target_debugfs(target);
	/* Without access to the log, change nothing: not even what a killed recorder has set. */
	err = target_busy(target, &busy);
	if (err)
		return err;
	err = target_repair(target);
	if (err)
		return err;
	err = target_mount(target);
	return err ?: target_test_left(target);
}

/*
 * Find the module and debugfs, and restore what a killed recorder has changed. Mounts debugfs
 * if it is not mounted.
 */
static struct kma_err *target_open(const char *root, struct kma_target **ret)
{
	struct kma_target *target = kma_xcalloc(1, sizeof(*target));
	struct kma_err *err;

	target->root = kma_xstrdup(root);
	target->note = -1;
	err = target_find(target);
	if (err) {
		kma_err_destroy(target_close(target));
		return err;
	}
	*ret = target;
	return NULL;
}

/* Get the kernel's symbols of code, as in /proc/kallsyms. */
static void target_symbols(const struct kma_target *target, bool modules, struct kma_strbuf *ret)
{
	_cleanup_free_ char *line = NULL;
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *f = NULL;
	size_t room = 0;
	ssize_t len;

	path = kma_xasprintf("%s/proc/kallsyms", target->root);
	f = fopen(path, "re");
	while (f && (len = getline(&line, &room, f)) > 0) {
		const char *space = strchr(line, ' ');

		/* "0000000000000000 t name": the kernel hides the address. */
		if (!space || strspn(line, "0") == (size_t)(space - line) ||
		    !strchr("tTwWi", space[1]) || (modules && !strchr(line, '[')))
			continue;
		kma_strbuf_add(ret, line, len);
	}
}

/* Get the versions of the recorder and of the module, as text of a log. */
static void target_versions(const struct kma_target *target, struct kma_strbuf *ret)
{
	char path[PATH_MAX], version[64];

	kma_strbuf_printf(ret, "#recorder %s\n", KMA_VERSION);
	snprintf(path, sizeof(path), "%s/sys/module/kmem_account/version", target->root);
	if (target_read(path, version, sizeof(version)))
		kma_strbuf_printf(ret, "#module %s\n", version);
}

/* Get the CPUs of each NUMA node, as text of a log. */
static void target_nodes(const struct kma_target *target, struct kma_strbuf *ret)
{
	unsigned int missing = 0;
	char path[PATH_MAX];

	/*
	 * Numbers of nodes may have gaps. The list of a large machine may have thousands of bytes.
	 */
	for (unsigned int node = 0; missing < 64; node++) {
		_cleanup_free_ char *list = NULL;
		struct kma_err *err;
		size_t len;

		snprintf(path, sizeof(path), "%s/sys/devices/system/node/node%u/cpulist",
			 target->root, node);
		err = kma_file_slurp(path, &list, &len);
		missing += !!err;
		kma_err_destroy(err);
		if (list)
			kma_strbuf_printf(ret, "#node %u %.*s\n", node, (int)strcspn(list, "\n"),
					  list);
	}
}

/* Get the module's counts for each CPU, as text of a log. */
static void target_totals(struct kma_target *target, struct kma_strbuf *ret)
{
	_cleanup_fclose_ FILE *f = fopen(target_trace(target, "overruns"), "re");
	uint64_t records, lost, nmi;
	unsigned int cpu, nr = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%u %" SCNu64 " %" SCNu64 " %" SCNu64, &cpu, &records, &lost,
			   &nmi) == 4) {
			kma_strbuf_printf(ret, "#total %u %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
					  cpu, records, lost, nmi);
			nr++;
		}
	kma_strbuf_printf(ret, "#end %u\n", nr);
}

/* Get the sums of the module's counts. */
static bool target_sums(struct kma_target *target, uint64_t *records, uint64_t *lost)
{
	_cleanup_fclose_ FILE *f = fopen(target_trace(target, "overruns"), "re");
	uint64_t one, gone;
	char line[128];
	bool any = false;

	*records = *lost = 0;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*u %" SCNu64 " %" SCNu64, &one, &gone) == 2) {
			*records += one;
			*lost += gone;
			any = true;
		}
	return any;
}

/*
 * Copy the streams of all CPUs to the output, each with a thread of its own.
 *
 * One thread for all streams would lose events on a busy machine: it gets a share of one CPU and
 * must drain the buffers of all. A thread is not bound to its CPU, and has the priority of the
 * program. A chunk of the output has the bytes of one read(2). The threads never examine the
 * content of a stream.
 *
 * A thread compresses what it has read, if requested. If it finds that it has fallen behind the
 * events, it compresses nothing for a second, because lost events are worse than a larger file.
 *
 * CPUs may come while the log is on; streams_look() starts their threads. A thread takes 256
 * KiB of stack, and the buffers of its lane (output.h).
 *
 * Locking: one thread, the main thread, calls all functions and receives the signals; block them
 * before streams_look(). The other threads share the output, each through its own lane, and the
 * first error, which kma_streams.lock protects. Each thread has an eventfd by which the main thread
 * requests to catch up; @asked and @done count the requests, see their barriers. One
 * eventfd wakes the main thread. Another one, which is written once and never read, ends all
 * threads.
 */

struct kma_streams;

struct kma_streams_limits {
	uint64_t size; /* streams_wait() returns if the output has so many bytes; 0: no limit */
	size_t read;   /* bytes of one read(2) */
	size_t behind; /* a thread has fallen behind if a read(2) gets more bytes */
};

#define KMA_STREAM_STACK    (256U << 10)  /* bytes of a thread's stack */
#define KMA_STREAM_MOST	    (64ULL << 20) /* bytes to read before a stream has caught up */
#define KMA_STREAMS_NS	    100000000	  /* ns of one wait */
#define KMA_STREAM_HURRY_NS KMA_NS_PER_S  /* ns without compression after falling behind */
#define KMA_STREAM_FRAME    (64U << 10)	  /* least bytes of a frame: less compresses badly */

struct kma_stream {
	struct kma_streams *all;
	unsigned int cpu;
	int fd; /* -1: the file does not exist yet */
	struct kma_lane *lane;
	pthread_t thread;
	bool runs;
	bool over;		  /* atomic: the stream was read to its end */
	int kick;		  /* eventfd: a request to catch up; -1: no thread yet */
	uint64_t hurry;		  /* time until which frames are not compressed, ns; 0: compress */
	unsigned int asked, done; /* atomic: number of requests to catch up; of those done */
};

struct kma_streams {
	struct kma_target *target;
	struct kma_output *out;
	struct kma_streams_limits limits;
	int wake, stop; /* eventfds: wake the main thread; end all threads */
	pthread_mutex_t lock;
	struct kma_err *err; /* the first error of a thread; @lock protects it */
	unsigned int nr;
	struct kma_stream streams[];
};

/*
 * @target must outlive the streams. CPUs have numbers below @nr_cpus. @ret is set also after an
 * error.
 */
static struct kma_err *streams_create(struct kma_target *target, struct kma_output *out,
				      unsigned int nr_cpus, const struct kma_streams_limits *limits,
				      struct kma_streams **ret)
{
	struct kma_streams *all;

	all = kma_xcalloc(1, sizeof(*all) + nr_cpus * sizeof(*all->streams));
	all->target = target;
	all->out = out;
	all->limits = *limits;
	all->nr = nr_cpus;
	pthread_mutex_init(&all->lock, NULL);
	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		all->streams[cpu] =
			(struct kma_stream){ .all = all, .cpu = cpu, .fd = -1, .kick = -1 };
	all->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	*ret = all;
	if (all->wake >= 0 && all->stop >= 0)
		return NULL;
	return kma_err_create(NULL, 0, "cannot create an eventfd: %s", strerror(errno));
}

/*
 * Are frames stored without compression now? @behind: this thread has fallen behind the events. On
 * a machine whose CPUs are busy it would fall behind again with the next frame that it compresses,
 * so frames are stored for a second.
 */
static bool stream_hurries(struct kma_stream *stream, bool behind)
{
	const uint64_t now = behind || stream->hurry ? kma_clock(CLOCK_MONOTONIC) : 0;

	if (behind)
		stream->hurry = now + KMA_STREAM_HURRY_NS;
	else if (now >= stream->hurry)
		stream->hurry = 0;
	return stream->hurry;
}

/* Do one read(2), and add its bytes to the lane. @some: data were read. */
static struct kma_err *stream_read(struct kma_stream *stream, bool *some)
{
	struct kma_log_chunk head = { .magic = KMA_LOG_CHUNK_MAGIC, .cpu = stream->cpu };
	const struct kma_streams_limits *limits = &stream->all->limits;
	char *chunk = kma_lane_room(stream->lane, sizeof(head) + limits->read);
	ssize_t n;

	*some = false;
	n = read(stream->fd, chunk + sizeof(head), limits->read);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return NULL;
	if (n < 0)
		return kma_err_create(NULL, 0, "cannot read the event log of CPU %u: %s",
				      stream->cpu, strerror(errno));
	if (!n)
		return NULL;
	*some = true;
	head.len = n;
	memcpy(chunk, &head, sizeof(head));
	kma_lane_hurry(stream->lane, stream_hurries(stream, (size_t)n > limits->behind));
	return kma_lane_add(stream->lane, sizeof(head) + n);
}

/* Wake the main thread; @err is kept if it is the first error. */
static void streams_wake(struct kma_streams *all, struct kma_err *err)
{
	pthread_mutex_lock(&all->lock);
	if (all->err)
		kma_err_destroy(err);
	else
		all->err = err;
	pthread_mutex_unlock(&all->lock);
	eventfd_write(all->wake, 1);
}

static struct kma_err *stream_take(struct kma_stream *stream, bool *some)
{
	struct kma_streams *all = stream->all;
	struct kma_err *err = stream_read(stream, some);

	if (err)
		return err;
	if (all->limits.size && kma_output_bytes(all->out) >= all->limits.size)
		streams_wake(all, NULL);
	return NULL;
}

/*
 * Handle a request to catch up: read everything that was readable when streams_catch_up() was
 * called. The result of poll(2) does not tell this, because poll(2) may have checked the stream
 * before @kick was written.
 */
static struct kma_err *stream_catch_up(struct kma_stream *stream)
{
	/* Pairs with the release in streams_catch_up(). */
	unsigned int asked = __atomic_load_n(&stream->asked, __ATOMIC_ACQUIRE);
	struct kma_err *err;
	bool some = true;
	eventfd_t count;

	eventfd_read(stream->kick, &count);
	for (int64_t most = KMA_STREAM_MOST; some && most > 0; most -= stream->all->limits.read) {
		err = stream_take(stream, &some);
		if (err)
			return err;
	}
	err = kma_lane_end(stream->lane);
	if (err)
		return err;
	/* Pairs with the acquire in streams_caught_up(). */
	__atomic_store_n(&stream->done, asked, __ATOMIC_RELEASE);
	streams_wake(stream->all, NULL);
	return NULL;
}

/* Handle the result of poll(2) for the stream's file. */
static struct kma_err *stream_poll(struct kma_stream *stream, struct pollfd *pfd)
{
	bool some;

	if (pfd->revents & POLLIN)
		return stream_take(stream, &some);
	/* The log is off. Stop polling the file, which would report this again and again. */
	if (pfd->revents) {
		__atomic_store_n(&stream->over, true, __ATOMIC_RELAXED);
		pfd->fd = -1;
	}
	return NULL;
}

static struct kma_err *stream_carry(struct kma_stream *stream)
{
	struct pollfd fds[] = {
		{ .fd = stream->all->stop, .events = POLLIN },
		{ .fd = stream->fd, .events = POLLIN },
		{ .fd = stream->kick, .events = POLLIN },
	};

	for (;;) {
		struct kma_err *err;

		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[0].revents)
			return kma_lane_end(stream->lane);
		err = fds[2].revents ? stream_catch_up(stream) : stream_poll(stream, &fds[1]);
		if (err)
			return err;
	}
}

static void *stream_run(void *arg)
{
	struct kma_stream *stream = arg;
	struct kma_err *err = stream_carry(stream);

	if (err)
		streams_wake(stream->all, err);
	return NULL;
}

static const char *streams_hint(int err)
{
	return err == EMFILE ? "; raise the limit of open files (ulimit -n)" : "";
}

static struct kma_err *stream_start(struct kma_stream *stream)
{
	pthread_attr_t attr;
	int err;

	stream->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (stream->kick < 0)
		return kma_err_create(NULL, 0, "cannot create an eventfd: %s%s", strerror(errno),
				      streams_hint(errno));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, KMA_STREAM_STACK);
	err = pthread_create(&stream->thread, &attr, stream_run, stream);
	pthread_attr_destroy(&attr);
	if (err)
		return kma_err_create(NULL, 0,
				      "cannot start a thread for the event log of CPU %u: %s",
				      stream->cpu, strerror(err));
	stream->runs = true;
	return NULL;
}

static struct kma_err *streams_cannot_open(const char *path)
{
	return kma_err_create(path, 0, "cannot open: %s%s", strerror(errno), streams_hint(errno));
}

static struct kma_err *stream_open(struct kma_stream *stream, const char *path)
{
	if (!stream->lane) {
		stream->lane = kma_lane_create(stream->all->out);
		kma_lane_limit(stream->lane, stream->all->limits.read < KMA_STREAM_FRAME ?
						     KMA_STREAM_FRAME :
						     stream->all->limits.read);
	}
	stream->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	/* Events of a CPU whose file is not read would be missing without a reason. */
	return stream->fd < 0 && errno != ENOENT ? streams_cannot_open(path) : NULL;
}

/* Open the files of CPUs that have come since the last call. */
static struct kma_err *streams_open(struct kma_streams *all)
{
	_cleanup_dir_ DIR *dir = NULL;
	const char *path = target_trace(all->target, "");
	const struct dirent *entry;
	unsigned int cpu;
	char rest;

	/* Without the directory, another program has freed the log. */
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? NULL : streams_cannot_open(path);
	while ((entry = readdir(dir))) {
		struct kma_err *err;

		if (sscanf(entry->d_name, "cpu%u%c", &cpu, &rest) != 1 || cpu >= all->nr ||
		    all->streams[cpu].fd >= 0)
			continue;
		err = stream_open(&all->streams[cpu], target_trace(all->target, entry->d_name));
		if (err)
			return err;
	}
	return NULL;
}

/* Starts to read streams that have appeared since the last call. */
static struct kma_err *streams_look(struct kma_streams *all)
{
	struct kma_err *err = streams_open(all);

	for (unsigned int cpu = 0; cpu < all->nr && !err; cpu++)
		if (all->streams[cpu].fd >= 0 && !all->streams[cpu].runs)
			err = stream_start(&all->streams[cpu]);
	return err;
}

/*
 * Waits up to a tenth of a second, with the signal mask @mask, for a signal, for a thread that has
 * caught up, or until the output has reached its size. Returns the error of one of the threads.
 */
static struct kma_err *streams_wait(struct kma_streams *all, const sigset_t *mask)
{
	const struct timespec wait = { .tv_nsec = KMA_STREAMS_NS };
	struct pollfd pfd = { .fd = all->wake, .events = POLLIN };
	struct kma_err *err;
	eventfd_t count;

	if (ppoll(&pfd, 1, &wait, mask) < 0 && errno != EINTR)
		return kma_err_create(NULL, 0, "cannot wait for data of the event log: %s",
				      strerror(errno));
	eventfd_read(all->wake, &count);
	pthread_mutex_lock(&all->lock);
	err = all->err;
	all->err = NULL;
	pthread_mutex_unlock(&all->lock);
	return err;
}

/*
 * Requests that all data that are readable now are written. Each thread reads its stream until
 * nothing is left, at most 64 MiB, and ends its lane's frame. streams_caught_up() tells when that
 * is done; call this function again only after that.
 */
static void streams_catch_up(struct kma_streams *all)
{
	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		struct kma_stream *stream = &all->streams[cpu];

		if (!stream->runs)
			continue;
		/* Pairs with the acquire in stream_catch_up(). */
		__atomic_store_n(&stream->asked, stream->asked + 1, __ATOMIC_RELEASE);
		eventfd_write(stream->kick, 1);
	}
}

/*
 * Have all threads caught up, or was there no request? streams_wait() returns each time that a
 * thread has.
 */
static bool streams_caught_up(const struct kma_streams *all)
{
	bool all_done = true;

	/* Pairs with the release in stream_catch_up(). */
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		all_done &= __atomic_load_n(&all->streams[cpu].done, __ATOMIC_ACQUIRE) ==
			    all->streams[cpu].asked;
	return all_done;
}

/* Has another program ended the log, so that every stream was read to its end? */
static bool streams_over(const struct kma_streams *all)
{
	unsigned int runs = 0, over = 0;

	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		runs += all->streams[cpu].runs;
		over += __atomic_load_n(&all->streams[cpu].over, __ATOMIC_RELAXED);
	}
	return runs && over == runs;
}

static void streams_join(struct kma_streams *all)
{
	eventfd_write(all->stop, 1);
	for (unsigned int cpu = 0; cpu < all->nr; cpu++)
		if (all->streams[cpu].runs) {
			pthread_join(all->streams[cpu].thread, NULL);
			all->streams[cpu].runs = false;
		}
}

/* After the log was switched off: ends the threads, and reads what is left in the streams. */
static struct kma_err *streams_finish(struct kma_streams *all)
{
	struct kma_err *err;
	bool any, some;

	streams_join(all);
	err = all->err;
	all->err = NULL;
	if (err)
		return err;
	/* A CPU may have come since the last look. */
	err = streams_open(all);
	if (err)
		return err;
	do {
		any = false;
		for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
			if (all->streams[cpu].fd < 0)
				continue;
			err = stream_read(&all->streams[cpu], &some);
			if (err)
				return err;
			any |= some;
		}
	} while (any);
	for (unsigned int cpu = 0; !err && cpu < all->nr; cpu++)
		if (all->streams[cpu].lane)
			err = kma_lane_end(all->streams[cpu].lane);
	return err;
}

/* End the threads, close and free all. */
static void streams_destroy(struct kma_streams *all)
{
	if (!all)
		return;
	if (all->stop >= 0)
		streams_join(all);
	for (unsigned int cpu = 0; cpu < all->nr; cpu++) {
		if (all->streams[cpu].fd >= 0)
			close(all->streams[cpu].fd);
		if (all->streams[cpu].kick >= 0)
			close(all->streams[cpu].kick);
		kma_lane_destroy(all->streams[cpu].lane);
	}
	if (all->wake >= 0)
		close(all->wake);
	if (all->stop >= 0)
		close(all->stop);
	kma_err_destroy(all->err);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

/*
 * Names and cgroups of the tasks of a recording: those of the tasks that exist when it
 * begins, and the changes while it runs.
 *
 * An event of the log has only the number of its thread. The names and cgroups are written once,
 * and again when they change; nothing is added to an event. If the changes cannot be followed
 * (kma_task_events), the log says that only the state at the start is known.
 *
 * Locking: none; one thread.
 */

struct kma_tasks;

struct kma_tasks {
	char *root;
	struct kma_task_events *events; /* NULL: changes cannot be followed */
	struct kma_task_lines lines;
	uint64_t lost; /* lost events that were already written as a line */
	bool taken;    /* tasks_text() has returned the lines */
};

static void tasks_scan(struct kma_tasks *tasks)
{
	kma_strbuf_printf(&tasks->lines.text, "#tasks %s\n", tasks->events ? "all" : "start");
	kma_task_scan(tasks->root, &tasks->lines);
}

/*
 * Begins to follow the tasks, and scans those that exist. @root is where /proc is, "" for this
 * machine; @tracing is the directory of tracefs. If the changes cannot be followed, the existing
 * tasks are recorded anyway, and @err, which the caller destroys, has the reason; otherwise it is
 * NULL.
 */
static struct kma_tasks *tasks_create(const char *root, const char *tracing, struct kma_err **err)
{
	struct kma_tasks *tasks = kma_xcalloc(1, sizeof(*tasks));

	tasks->root = kma_xstrdup(root);
	*err = task_events_open(root, tracing, &tasks->events);
	tasks_scan(tasks);
	return tasks;
}

/* Adopts the clock of the log, which is on. NULL is fine, also below. */
static void tasks_begin(struct kma_tasks *tasks, const struct kma_log_header *header)
{
	if (tasks && tasks->events && task_events_clock(tasks->events, header))
		tasks_scan(tasks);
}

/*
 * The lines since the last call, as text of a log, valid until the next call; NULL if @tasks is
 * NULL.
 */
static const struct kma_strbuf *tasks_text(struct kma_tasks *tasks)
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
	task_events_read(tasks->events, lines);
	if (task_events_lost(tasks->events) > tasks->lost) {
		tasks->lost = task_events_lost(tasks->events);
		kma_strbuf_printf(&lines->text, "#tasks lost %" PRIu64 "\n", tasks->lost);
	}
	return &lines->text;
}

/* Stop following, free all. */
static void tasks_destroy(struct kma_tasks *tasks)
{
	if (!tasks)
		return;
	task_events_close(tasks->events);
	kma_task_lines_deinit(&tasks->lines);
	free(tasks->root);
	free(tasks);
}

#define KMA_RECORD_WATCH     0.5	/* s between two calls of @watch */
#define KMA_RECORD_READ	     (1U << 20) /* bytes of one read(2), unless sub-buffers are large */
#define KMA_RECORD_TEXT	     (1U << 20) /* bytes of the largest chunk of text */
#define KMA_RECORD_READ_MOST (8U << 20) /* bytes of one read(2) with large sub-buffers */
/* Bytes with which it ends when memory is missing: also the buffer of a CPU that has just come. */
#define KMA_RECORD_RESERVE ((4U << 20) + 2 * KMA_RECORD_READ_MOST)

struct kma_record {
	const struct kma_record_options *opts;
	struct kma_target *target;
	struct kma_output *out;
	struct kma_lane *lane; /* for data that belong to no CPU */
	struct kma_streams *streams;
	struct kma_strbuf modules;	/* symbols of modules that were written */
	struct kma_tasks *tasks;	/* NULL: names of tasks are not recorded */
	double began, watched, flushed; /* times of the start, last watch and last flush, s */
	bool flushing;			/* a flush was requested and is not complete yet */
	bool drains;			/* only the unread data of an existing log are recorded */
	pid_t child;
	sigset_t old_mask;
	struct sigaction old[4], old_pipe;
	struct rlimit files; /* limits of open files before */
	void (*watch)(void *arg, const struct kma_record_state *state); /* see kma_record() */
	void *arg;
	struct kma_record_state *state;
};

static const int record_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };

static int record_stop;

static void record_signal(int sig)
{
	if (sig != SIGCHLD)
		__atomic_store_n(&record_stop, 1, __ATOMIC_RELAXED);
}

static void record_block(struct kma_record *rec)
{
	struct sigaction sa = { .sa_handler = record_signal };
	sigset_t set;

	record_stop = 0;
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++)
		sigaddset(&set, record_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &rec->old_mask);
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++) {
		sigaction(record_signals[i], NULL, &rec->old[i]);
		if (rec->old[i].sa_handler != SIG_IGN || record_signals[i] == SIGCHLD)
			sigaction(record_signals[i], &sa, NULL);
	}
	/* If the reader of a pipe has ended, write(2) reports it as an error. */
	sigaction(SIGPIPE, NULL, &rec->old_pipe);
	signal(SIGPIPE, SIG_IGN);
}

static void record_unblock(struct kma_record *rec)
{
	for (size_t i = 0; i < ARRAY_SIZE(record_signals); i++)
		sigaction(record_signals[i], &rec->old[i], NULL);
	sigprocmask(SIG_SETMASK, &rec->old_mask, NULL);
	sigaction(SIGPIPE, &rec->old_pipe, NULL);
}

/*
 * Raise the limit of open files to the most that is permitted. Each CPU needs three files: its
 * stream, an eventfd and the pipe of its task events. The usual limit, 1,024, is too low from about
 * 340 CPUs on.
 */
static void record_raise_files(struct kma_record *rec)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, &rec->files))
		return;
	most = rec->files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
}

/* A command gets the limit that it would have without the recorder: select(2) may need it. */
static void record_restore_files(const struct kma_record *rec)
{
	if (rec->files.rlim_cur)
		setrlimit(RLIMIT_NOFILE, &rec->files);
}

/*
 * Write text: symbols, nodes, tasks or totals. It is divided into chunks of whole lines, because
 * memory for a second copy of all symbols may be missing now that settings are changed.
 */
static struct kma_err *record_text(struct kma_record *rec, const struct kma_strbuf *text)
{
	for (size_t at = 0, len; at < text->len; at += len) {
		struct kma_log_chunk head = { .magic = KMA_LOG_SYMBOLS_MAGIC };
		const char *from = text->str + at, *end = NULL;
		struct kma_err *err;
		char *chunk;

		len = text->len - at;
		if (len > KMA_RECORD_TEXT)
			end = memrchr(from, '\n', KMA_RECORD_TEXT);
		if (end)
			len = end + 1 - from;
		head.len = len;
		chunk = kma_lane_room(rec->lane, sizeof(head) + len);
		memcpy(chunk, &head, sizeof(head));
		memcpy(chunk + sizeof(head), from, len);
		err = kma_lane_add(rec->lane, sizeof(head) + len);
		if (err)
			return err;
	}
	return NULL;
}

/*
 * One read(2) gets a quarter of a CPU's buffers, so that the module has space for events while the
 * bytes are compressed and written; but at least two sub-buffers, because one is complete each time
 * that the reader is woken. A sub-buffer may end with unused bytes, so a thread has fallen behind
 * if it gets more than three quarters of that, and more than one sub-buffer.
 */
static struct kma_streams_limits record_limits(const struct kma_record *rec)
{
	const uint64_t subbuf = target_get(rec->target, "subbuf_size");
	uint64_t read = target_get(rec->target, "subbufs") * subbuf / 4;
	struct kma_streams_limits limits = { .size = rec->opts->size };

	read = !read || read > KMA_RECORD_READ ? KMA_RECORD_READ : read;
	read = read < 2 * subbuf ? 2 * subbuf : read;
	limits.read = read < KMA_RECORD_READ_MOST ? read : KMA_RECORD_READ_MOST;
	limits.behind = limits.read / 4 * 3 > subbuf ? limits.read / 4 * 3 : subbuf;
	return limits;
}

/* Write the header, and prepare the streams: the header has the number of CPUs. */
static struct kma_err *record_header(struct kma_record *rec)
{
	_cleanup_free_ char *text = NULL;
	const char *path = target_trace(rec->target, "header");
	struct kma_streams_limits limits;
	struct kma_log_header header;
	struct kma_err *err;
	size_t len;

	err = log_files_readable(path);
	if (err)
		return err;
	err = kma_file_slurp(path, &text, &len);
	if (err)
		return err;
	memcpy(&header, text, len < sizeof(header) ? len : sizeof(header));
	if (len < sizeof(header) || memcmp(header.magic, KMA_LOG_MAGIC, sizeof(header.magic)) ||
	    header.header_len != len || header.nr_cpus > 65536)
		return kma_err_create(path, 0, "invalid or unsupported header of an event log");
	text[offsetof(struct kma_log_header, totals)] = 1;
	tasks_begin(rec->tasks, &header);
	err = kma_lane_write(rec->lane, text, len);
	if (err)
		return err;
	limits = record_limits(rec);
	return streams_create(rec->target, rec->out, header.nr_cpus, &limits, &rec->streams);
}

/* Write the changes of tasks since the last call. */
static struct kma_err *record_tasks(struct kma_record *rec)
{
	const struct kma_strbuf *text = tasks_text(rec->tasks);
	struct kma_err *err;

	if (!text || !text->len)
		return NULL;
	err = record_text(rec, text);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the symbols of modules again if modules were loaded since the start. */
static struct kma_err *record_new_symbols(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	struct kma_err *err;

	if (rec->opts->no_symbols)
		return NULL;
	target_symbols(rec->target, true, &symbols);
	if (symbols.len == rec->modules.len &&
	    (!symbols.len || !memcmp(symbols.str, rec->modules.str, symbols.len)))
		return NULL;
	err = record_text(rec, &symbols);
	return err ? err : kma_lane_end(rec->lane);
}

/* Write the totals, the last bytes of the file. */
static struct kma_err *record_totals(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err;

	target_totals(rec->target, &text);
	err = record_text(rec, &text);
	return err ? err : kma_lane_end(rec->lane);
}

bool kma_record_has_stdout(const struct kma_record_options *opts)
{
	struct stat output, own;

	if (!strcmp(opts->output, "-"))
		return true;
	return !stat(opts->output, &output) && !fstat(STDOUT_FILENO, &own) &&
	       output.st_dev == own.st_dev && output.st_ino == own.st_ino && !S_ISCHR(own.st_mode);
}

/* Run the command in the child process. If that fails, write errno to the pipe @why. */
static void record_exec(struct kma_record *rec, int why)
{
	int failed;

	record_unblock(rec);
	record_restore_files(rec);
	/* The standard output has the log: output of the command would corrupt it. */
	if (kma_record_has_stdout(rec->opts) && dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		close(STDOUT_FILENO);
	execvp(*rec->opts->command, rec->opts->command);
	failed = errno;
	_exit(write(why, &failed, sizeof(failed)) < 0 ? 126 : 127);
}

/* Start the command. The kernel closes the pipe when the command runs. */
static struct kma_err *record_run_command(struct kma_record *rec)
{
	int why[2], failed;

	if (pipe2(why, O_CLOEXEC))
		return kma_err_create(*rec->opts->command, 0, "cannot run: %s", strerror(errno));
	rec->child = fork();
	if (!rec->child)
		record_exec(rec, why[1]);
	failed = errno;
	close(why[1]);
	if (rec->child > 0 && read(why[0], &failed, sizeof(failed)) == sizeof(failed))
		rec->state->not_run = failed;
	close(why[0]);
	return rec->child < 0 ?
		       kma_err_create(*rec->opts->command, 0, "cannot run: %s", strerror(failed)) :
		       NULL;
}

/* Must the recording end? If so, note the reason. */
static bool record_ends(struct kma_record *rec, double now)
{
	const struct kma_record_options *opts = rec->opts;
	struct kma_record_state *state = rec->state;
	bool over = true;

	state->seconds = now - rec->began;
	state->bytes = kma_output_bytes(rec->out);
	if (__atomic_load_n(&record_stop, __ATOMIC_RELAXED))
		state->end = KMA_RECORD_BY_SIGNAL;
	else if (rec->child > 0 && waitpid(rec->child, &state->status, WNOHANG) == rec->child)
		state->end = KMA_RECORD_BY_COMMAND, rec->child = 0;
	else if (opts->size && state->bytes >= opts->size)
		state->end = KMA_RECORD_BY_SIZE;
	else if (opts->duration && state->seconds >= opts->duration)
		state->end = KMA_RECORD_BY_DURATION;
	else
		over = false;
	return over;
}

static void record_enter(struct kma_record *rec, enum kma_record_phase phase)
{
	rec->state->phase = phase;
	if (rec->watch)
		rec->watch(rec->arg, rec->state);
}

static struct kma_err *record_tell(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (now - rec->watched < KMA_RECORD_WATCH)
		return NULL;
	rec->watched = now;
	if (rec->watch) {
		target_sums(rec->target, &rec->state->records, &rec->state->lost);
		rec->watch(rec->arg, rec->state);
	}
	err = record_tasks(rec);
	return err ? err : streams_look(rec->streams);
}

/*
 * Flush at the interval: make the module hand out partly filled sub-buffers. When all streams have
 * written them, sync the file.
 */
static struct kma_err *record_flush(struct kma_record *rec, double now)
{
	struct kma_err *err;

	if (rec->flushing && streams_caught_up(rec->streams)) {
		rec->flushing = false;
		err = kma_output_sync(rec->out);
		if (err)
			return err;
	}
	if (rec->flushing || now - rec->flushed < rec->opts->flush)
		return NULL;
	/* Start the streams of new CPUs, so that they are flushed, too. */
	err = streams_look(rec->streams);
	if (err)
		return err;
	err = target_control(rec->target, "flush");
	if (err)
		return err;
	rec->flushed = now;
	rec->flushing = true;
	streams_catch_up(rec->streams);
	return NULL;
}

static struct kma_err *record_loop(struct kma_record *rec)
{
	struct kma_err *err;
	double now;

	for (;;) {
		now = kma_clock(CLOCK_MONOTONIC) / 1e9;
		if (record_ends(rec, now))
			return NULL;
		/* The rest of the reserve is for the end: all events, and the totals. */
		if (kma_alloc_is_low())
			return NULL;
		if (streams_over(rec->streams)) {
			rec->state->end = KMA_RECORD_BY_LOG;
			return NULL;
		}
		err = record_tell(rec, now);
		if (err)
			return err;
		err = record_flush(rec, now);
		if (err)
			return err;
		err = streams_wait(rec->streams, &rec->old_mask);
		if (err)
			return err;
	}
}

/* Settings are restored and signals unblocked, so Ctrl-C still ends the wait for a slow command. */
static void record_wait_command(const struct kma_record *rec)
{
	while (rec->child > 0 && waitpid(rec->child, &rec->state->status, 0) < 0 && errno == EINTR)
		;
}

/* Follow the tasks before the log is on, so that no event has a task without a name. */
static void record_follow(struct kma_record *rec)
{
	struct kma_err *err = NULL;

	if (rec->opts->no_tasks || rec->drains)
		return;
	rec->tasks = tasks_create(rec->opts->root, target_tracing(rec->target), &err);
	if (err) {
		rec->state->why = err->message;
		record_enter(rec, KMA_RECORD_TASKS);
		rec->state->why = NULL;
	}
	kma_err_destroy(err);
}

/*
 * Prepare everything, then switch the log on and write its header. Symbols are read before, because
 * that takes long.
 */
static struct kma_err *record_begin(struct kma_record *rec)
{
	_cleanup_strbuf_ struct kma_strbuf symbols = { 0 };
	const struct kma_record_options *opts = rec->opts;
	struct kma_err *err;

	err = target_may_begin(rec->target, opts->attach);
	if (err)
		return err;
	if (!opts->no_symbols)
		record_enter(rec, KMA_RECORD_SYMBOLS);
	target_versions(rec->target, &symbols);
	target_nodes(rec->target, &symbols);
	if (!opts->no_symbols) {
		target_symbols(rec->target, false, &symbols);
		target_symbols(rec->target, true, &rec->modules);
	}
	record_follow(rec);
	err = opts->subbufs ? target_set(rec->target, "subbufs", opts->subbufs) : NULL;
	if (err)
		return err;
	err = opts->subbuf_size ? target_set(rec->target, "subbuf_size", opts->subbuf_size) : NULL;
	if (err)
		return err;
	err = target_begin(rec->target, opts->attach);
	if (err)
		return err;
	err = record_header(rec);
	if (err)
		return err;
	err = record_text(rec, &symbols);
	if (err)
		return err;
	err = kma_lane_end(rec->lane);
	return err ? err : record_tasks(rec);
}

/* Record from the start of the log to the end of the recording. */
static struct kma_err *record_events(struct kma_record *rec)
{
	struct kma_err *err;

	/* The time for reading the symbols does not count towards --duration. */
	rec->began = rec->watched = rec->flushed = kma_clock(CLOCK_MONOTONIC) / 1e9;
	record_enter(rec, KMA_RECORD_ON);
	err = rec->opts->command ? record_run_command(rec) : NULL;
	if (err)
		return err;
	err = streams_look(rec->streams) ?: record_loop(rec);
	/* End a command that outlives the recording. kma_record() waits for it later. */
	if (rec->child > 0)
		kill(rec->child, SIGTERM);
	return err;
}

static struct kma_err *record_all(struct kma_record *rec)
{
	struct kma_err *err;

	err = record_begin(rec);
	if (err)
		return err;
	err = rec->drains ? streams_look(rec->streams) : record_events(rec);
	if (err)
		return err;
	err = target_control(rec->target, "log off");
	if (err)
		return err;
	err = streams_finish(rec->streams);
	if (err)
		return err;
	err = record_new_symbols(rec);
	if (err)
		return err;
	err = record_tasks(rec);
	if (err)
		return err;
	err = record_totals(rec);
	if (err)
		return err;
	if (!rec->drains && kma_alloc_is_low())
		return kma_err_create(NULL, 0, "out of memory");
	return NULL;
}

/* Record into the file that the options name. After an error, what was written is kept. */
static struct kma_err *record_file(struct kma_record *rec)
{
	struct kma_err *err, *second;

	rec->began = kma_clock(CLOCK_MONOTONIC) / 1e9;
	err = kma_output_open(rec->opts->output, rec->opts->zstd, &rec->out);
	if (err)
		return err;
	rec->lane = kma_lane_create(rec->out);
	err = record_all(rec);
	/* From here on no other thread writes. */
	streams_destroy(rec->streams);
	second = err && !kma_output_bytes(rec->out) ? NULL : kma_output_commit(rec->out);
	rec->state->bytes = kma_output_bytes(rec->out);
	rec->state->seconds = kma_clock(CLOCK_MONOTONIC) / 1e9 - rec->began;
	if (err)
		kma_err_destroy(second);
	err = kma_output_say_kept(rec->out, err ?: second);
	target_sums(rec->target, &rec->state->records, &rec->state->lost);
	kma_strbuf_deinit(&rec->modules);
	tasks_destroy(rec->tasks);
	kma_lane_destroy(rec->lane);
	kma_output_destroy(rec->out);
	rec->out = NULL;
	return err;
}

/*
 * Without memory, end the command, put the settings back, and save what was recorded: this needs
 * some.
 */
static void record_rescue(void *arg)
{
	struct kma_record *rec = arg;

	if (rec->child > 0)
		kill(rec->child, SIGTERM);
	target_rescue(rec->target);
	if (rec->out)
		kma_output_rescue(rec->out);
}

/* Is the output a file? A pipe or a device has no directory for another file. */
static bool record_has_file(const struct kma_record_options *opts)
{
	struct stat st;

	return strcmp(opts->output, "-") && (stat(opts->output, &st) || S_ISREG(st.st_mode));
}

/* Save the unread events of a killed recorder in a separate file, and free the buffers. */
static struct kma_err *record_left(struct kma_record *rec)
{
	struct kma_record_state state = { 0 };
	struct kma_record_options opts = *rec->opts;
	struct kma_record left = {
		.opts = &opts,
		.target = rec->target,
		.state = &state,
		.drains = true,
	};
	_cleanup_free_ char *path = NULL;
	struct kma_err *err;

	path = kma_xasprintf("%s.unread", rec->opts->output);
	if (!access(path, F_OK))
		return kma_err_create(
			path, 0,
			"already exists and may contain data of an earlier recorder; rename it, then record again");
	opts.output = path;
	opts.attach = true;
	opts.size = 0;
	opts.subbufs = opts.subbuf_size = 0;
	kma_atend_forget(record_rescue, rec);
	kma_atend_call(record_rescue, &left);
	err = record_file(&left);
	kma_atend_forget(record_rescue, &left);
	kma_atend_call(record_rescue, rec);
	if (err) {
		/*
		 * The disk is full: events that were read and do not fit are lost; the others stay
		 * in the buffers.
		 */
		target_leave(rec->target);
		return err;
	}
	err = target_end(rec->target);
	if (err)
		return err;
	if (rec->watch) {
		state.phase = KMA_RECORD_LEFT;
		state.output = path;
		rec->watch(rec->arg, &state);
	}
	return NULL;
}

/* Record on an open target: what a killed recorder has left, or the log from now on. */
static struct kma_err *record_ready(struct kma_record *rec)
{
	const struct kma_record_options *opts = rec->opts;
	struct kma_err *err;

	kma_atend_call(record_rescue, rec);
	if (!opts->attach && target_left(rec->target) && record_has_file(opts)) {
		err = record_left(rec);
		if (err)
			return err;
	}
	return record_file(rec);
}

struct kma_err *kma_record(const struct kma_record_options *opts,
			   void (*watch)(void *arg, const struct kma_record_state *state),
			   void *arg, struct kma_record_state *ret)
{
	struct kma_record rec = { .opts = opts, .watch = watch, .arg = arg, .state = ret };
	struct kma_err *err, *second;

	*ret = (struct kma_record_state){ .end = KMA_RECORD_BY_ERROR };
	kma_alloc_reserve(KMA_RECORD_RESERVE);
	/* From here on a signal ends only the recording, so that all settings are restored. */
	record_block(&rec);
	record_raise_files(&rec);
	err = target_open(opts->root, &rec.target);
	if (!err)
		err = record_ready(&rec);
	kma_atend_forget(record_rescue, &rec);
	second = target_close(rec.target);
	if (err)
		kma_err_destroy(second);
	record_restore_files(&rec);
	record_unblock(&rec);
	record_wait_command(&rec);
	return err ?: second;
}

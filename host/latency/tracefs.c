// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs.c - set up tracing, restore the settings, and write the names of shrinkers into the log.
 *
 * The note has a line for each changed file: its name, a tab, and its old content (with tabs
 * between lines). It has a line for the instance, with only its name. A line is written before its
 * change is made.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "tracefs.h"

#define INSTANCE "instances/kmem-account-latency"
#define FILTER	 "set_ftrace_filter"
#define TRIGGER	 "trigger"
#define PROBES	 "kprobe_events"

static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static const char *const options[] = { "funcgraph-proc", "funcgraph-abstime", "funcgraph-tail" };

static const char *const events[] = {
	"vmscan/mm_shrink_slab_start",		 "vmscan/mm_shrink_slab_end",
	"vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end",
	"vmscan/mm_vmscan_lru_shrink_inactive",	 "vmscan/mm_vmscan_memcg_reclaim_begin",
	"vmscan/mm_vmscan_memcg_reclaim_end",	 "compaction/mm_compaction_begin",
	"compaction/mm_compaction_end",		 "compaction/mm_compaction_try_to_compact_pages",
};

/* These events are frequent, so they are switched on only on request. */
static const char *const switch_events[] = {
	"sched/sched_switch", "irq/irq_handler_entry", "irq/irq_handler_exit",
	"irq/softirq_entry",  "irq/softirq_exit",
};

/*
 * The events that end a wait or a run of a shrinker get stacks. At that time the waiting code is on
 * the stack, and tasks that do not wait have no cost. kswapd has a cost for its own shrinkers.
 */
static const char *const stack_triggers[] = {
	"events/vmscan/mm_vmscan_direct_reclaim_end/" TRIGGER,
	"events/vmscan/mm_vmscan_memcg_reclaim_end/" TRIGGER,
	"events/compaction/mm_compaction_end/" TRIGGER,
	"events/vmscan/mm_shrink_slab_end/" TRIGGER,
	/* The last one is used only with sched_switch: tasks whose allocation waits for a CPU. */
	"events/sched/sched_switch/" TRIGGER,
};

/*
 * The names of a function in different kernels, the newest first. Only one of them is traced,
 * because one calls the other.
 */
static const char *const functions[][4] = {
	{ "__alloc_frozen_pages_noprof", "__alloc_pages_noprof", "__alloc_pages",
	  "__alloc_pages_nodemask" },
	{ "try_to_free_pages" },
	{ "try_to_free_mem_cgroup_pages" },
	{ "memcg1_soft_limit_reclaim", "mem_cgroup_soft_limit_reclaim" },
	{ "shrink_node" },
	{ "shrink_lruvec", "shrink_node_memcg" },
	{ "shrink_slab" },
	{ "shrink_active_list" },
	{ "shrink_inactive_list" },
	{ "compact_zone" },
	{ "try_to_compact_pages" },
};

struct kma_tracefs {
	char *top, *dir;   /* directory of tracefs; of the used instance, which may be @top */
	char *pipe, *note; /* paths of trace_pipe and of the note */
	int fd;		   /* of the note */
	/* state of kma_tracefs_names() */
	unsigned int lists;    /* lists of names that were written */
	bool probed, nameless; /* the probe exists; names are not available */
};

static struct kma_err *file_error(const char *path, const char *what)
{
	return kma_err_create(path, 0, "cannot %s: %s", what, strerror(errno));
}

/* In some of these files, each of several lines must be written with a write(2) of its own. */
static struct kma_err *write_file(const char *path, const char *value, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	struct kma_err *err = NULL;
	size_t len = strlen(value);

	if (fd < 0)
		return file_error(path, "open");
	if (len && write(fd, value, len) != (ssize_t)len)
		err = file_error(path, "write");
	close(fd);
	return err;
}

static char *path_of(const char *dir, const char *name)
{
	return kma_xasprintf("%s/%s", dir, name);
}

static struct kma_err *remember(struct kma_tracefs *fs, const char *path, char *value)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	size_t len = value ? strlen(value) : 0;

	while (len && value[len - 1] == '\n')
		value[--len] = '\0';
	for (char *p = value; p && *p; p++)
		if (*p == '\n')
			*p = '\t';
	kma_strbuf_puts(&line, path);
	if (value)
		kma_strbuf_printf(&line, "\t%s", value);
	kma_strbuf_puts(&line, "\n");
	if (write(fs->fd, line.str, line.len) != (ssize_t)line.len)
		return file_error(fs->note, "write");
	return NULL;
}

static struct kma_err *get(const char *dir, const char *name, char **ret)
{
	_cleanup_free_ char *path = path_of(dir, name);
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp_regular(path, ret, &len);
	if (err)
		return err;
	if (len && (*ret)[len - 1] == '\n')
		(*ret)[len - 1] = '\0';
	return NULL;
}

static struct kma_err *set(struct kma_tracefs *fs, const char *dir, const char *name,
			   const char *value)
{
	_cleanup_free_ char *path = path_of(dir, name);
	_cleanup_free_ char *was = NULL;
	struct kma_err *err;

	err = get(dir, name, &was);
	if (err)
		return err;
	err = remember(fs, path, was);
	if (err)
		return err;
	return write_file(path, value, O_TRUNC);
}

/*
 * Restore the lines of a filter. Its commands (with a ":") are left out; an empty filter reads as a
 * line that begins with "#".
 */
static struct kma_err *put_filter(const char *path, char *lines)
{
	struct kma_err *err = write_file(path, "", O_TRUNC);
	char *next;

	if (err)
		return err;
	for (char *line = lines; line && *line; line = next) {
		char name[512];

		next = strpbrk(line, "\t\n");
		if (next)
			*next++ = '\0';
		if (*line == '#' || strchr(line, ':'))
			continue;
		/* A blank and the module follow the function. */
		snprintf(name, sizeof(name), "%.*s\n", (int)strcspn(line, " "), line);
		err = write_file(path, name, O_APPEND);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *put(const char *path, char *value)
{
	const char *name = strrchr(path, '/');
	struct stat st;

	if (name && !strcmp(name + 1, FILTER))
		return put_filter(path, value);
	/* O_TRUNC would also remove entries of other programs. Removing a missing entry fails. */
	if (value && name && (!strcmp(name + 1, TRIGGER) || !strcmp(name + 1, PROBES))) {
		kma_err_destroy(write_file(path, value, O_APPEND));
		return NULL;
	}
	if (!value)
		return rmdir(path) && errno != ENOENT ? file_error(path, "remove") : NULL;
	/* "1*": other programs have changed the event, too. Restore the 1. */
	value[strcspn(value, "*")] = '\0';
	/* An instance that no longer exists needs no restoring. */
	return stat(path, &st) ? NULL : write_file(path, value, O_TRUNC);
}

/*
 * Restore from the last change to the first. Tracing stops first, so that partly restored settings
 * cause no events.
 */
static struct kma_err *restore(struct kma_tracefs *fs)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	struct kma_err *err, *first = NULL;
	size_t len;

	path = kma_xasprintf("/proc/self/fd/%d", fs->fd);
	err = kma_file_slurp_regular(path, &text, &len);
	if (err)
		return err;
	while (len) {
		char *line, *value, *end = memrchr(text, '\n', len);

		/*
		 * A last line without a newline was not written completely, so its change was not
		 * made.
		 */
		if (!end)
			break;
		*end = '\0';
		line = memrchr(text, '\n', end - text);
		line = line ? line + 1 : text;
		value = strchr(line, '\t');
		if (value)
			*value++ = '\0';
		err = put(line, value);
		if (first)
			kma_err_destroy(err);
		first = first ?: err;
		len = line - text;
	}
	if (!first && ftruncate(fs->fd, 0))
		first = file_error(fs->note, "empty");
	return first;
}

/* Find a function by its name; suffixes of the compiler are permitted: compact_zone.isra.0. */
static char *find_function(const char *available, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = available; (at = strstr(at, name)); at += len)
		if ((at == available || at[-1] == '\n') && strchr(".\n ", at[len]))
			return kma_xstrndup(at, strcspn(at, "\n "));
	return NULL;
}

static void miss(struct kma_strbuf *missing, const char *name)
{
	kma_strbuf_printf(missing, "%s%s", missing->len ? ", " : "", name);
}

static struct kma_err *filter(struct kma_tracefs *fs, struct kma_strbuf *missing)
{
	_cleanup_free_ char *path = path_of(fs->dir, FILTER);
	_cleanup_free_ char *available = NULL;
	struct kma_err *err;
	unsigned int found = 0;

	err = get(fs->top, "available_filter_functions", &available);
	if (err)
		return err;
	err = set(fs, fs->dir, FILTER, "");
	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };
		_cleanup_free_ char *name = NULL;

		for (size_t n = 0; n < 4 && functions[i][n] && !name; n++)
			name = find_function(available, functions[i][n]);
		if (!name) {
			miss(missing, functions[i][0]);
			continue;
		}
		kma_strbuf_printf(&line, "%s\n", name);
		err = write_file(path, line.str, O_APPEND);
		if (err)
			return err;
		found++;
	}
	if (!found)
		return kma_err_create(
			fs->top, 0,
			"the kernel lists no function of memory reclaim that can be traced");
	return NULL;
}

/* The error that describes the use of tracing by another program; NULL: it is not used. */
static struct kma_err *busy(const struct kma_tracefs *fs)
{
	static const struct {
		const char *file, *idle;
		bool shared; /* also by instances */
	} files[] = {
		{ "tracing_thresh", "0", true },
		{ "current_tracer", "nop", false },
		{ "events/enable", "0", false },
	};
	bool own = strcmp(fs->top, fs->dir);

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *value = NULL;
		struct kma_err *err;

		if (own && !files[i].shared)
			continue;
		err = get(fs->top, files[i].file, &value);
		if (err)
			return err;
		if (strcmp(value, files[i].idle))
			return kma_err_create(
				fs->top, 0,
				"tracing is in use (%s is '%s'); use --force to replace the setting temporarily",
				files[i].file, value);
	}
	return NULL;
}

/*
 * Create an instance of our own and use it, if it has function_graph. Its available_tracers tells:
 * trying would trace all functions for a moment.
 */
static struct kma_err *instance(struct kma_tracefs *fs)
{
	_cleanup_free_ char *dir = path_of(fs->top, INSTANCE);
	_cleanup_free_ char *tracers = NULL;
	struct kma_err *err;

	err = remember(fs, dir, NULL);
	if (err)
		return err;
	if (mkdir(dir, 0700))
		return NULL;
	err = get(dir, "available_tracers", &tracers);
	if (err || !strstr(tracers, "function_graph")) {
		kma_err_destroy(err);
		rmdir(dir);
		return NULL;
	}
	free(fs->dir);
	fs->dir = dir;
	dir = NULL;
	return NULL;
}

/*
 * Refuse a kernel that cannot trace durations of functions: the write to current_tracer would fail
 * with "Invalid argument" only. A tracefs without the list is not refused.
 */
static struct kma_err *check_tracer(const struct kma_tracefs *fs)
{
	_cleanup_free_ char *tracers = NULL;
	struct kma_err *err = get(fs->dir, "available_tracers", &tracers);

	kma_err_destroy(err);
	if (err || strstr(tracers, "function_graph"))
		return NULL;
	return kma_err_create(
		fs->top, 0,
		"this kernel has no tracer function_graph (CONFIG_FUNCTION_GRAPH_TRACER); latency needs it");
}

/* Switch an event on. One that the kernel does not have (no compaction) is noted as missing. */
static struct kma_err *event_on(struct kma_tracefs *fs, const char *event,
				struct kma_strbuf *missing)
{
	_cleanup_free_ char *path = NULL;
	char name[128];

	snprintf(name, sizeof(name), "events/%s/enable", event);
	path = path_of(fs->dir, name);
	if (access(path, F_OK)) {
		miss(missing, event);
		return NULL;
	}
	return set(fs, fs->dir, name, "1");
}

/* Switch on the options and events; each is a file that gets a 1. */
static struct kma_err *switch_on(struct kma_tracefs *fs, bool switches, struct kma_strbuf *missing)
{
	struct kma_err *err = NULL;
	char name[128];

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		snprintf(name, sizeof(name), "options/%s", options[i]);
		err = set(fs, fs->dir, name, "1");
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		err = event_on(fs, events[i], missing);
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(switch_events) && switches; i++) {
		err = event_on(fs, switch_events[i], missing);
		if (err)
			return err;
	}
	return NULL;
}

/* Switch on stacks with offsets. A kernel without stack triggers works without them. */
static struct kma_err *stacks_on(struct kma_tracefs *fs, bool switches, struct kma_strbuf *missing)
{
	struct kma_err *err = set(fs, fs->dir, "options/sym-offset", "1");
	size_t nr = ARRAY_SIZE(stack_triggers) - !switches;

	for (size_t i = 0; i < nr && !err; i++) {
		_cleanup_free_ char *path = path_of(fs->dir, stack_triggers[i]);
		_cleanup_free_ char *was = NULL;
		char undo[] = "!stacktrace";
		struct kma_err *no;

		no = get(fs->dir, stack_triggers[i], &was);
		/*
		 * The file has a trigger of another program, which stays; or a comment with the
		 * available triggers.
		 */
		if (!no && *was != '#' && strstr(was, "stacktrace"))
			continue;
		if (!no)
			err = remember(fs, path, undo);
		if (!no && !err)
			no = write_file(path, "stacktrace", O_APPEND);
		if (no)
			miss(missing, stack_triggers[i]);
		kma_err_destroy(no);
	}
	return err;
}

struct kma_err *kma_tracefs_begin(struct kma_tracefs *fs, const struct kma_tracefs_setup *setup,
				  struct kma_strbuf *missing)
{
	_cleanup_free_ char *on = NULL;
	struct kma_err *err;
	char us[24];

	snprintf(us, sizeof(us), "%lu", setup->threshold);
	err = instance(fs);
	if (err)
		return err;
	err = setup->force ? NULL : busy(fs);
	if (err)
		return err;
	err = check_tracer(fs);
	if (err)
		return err;
	err = set(fs, fs->dir, "tracing_on", "0");
	if (err)
		return err;
	err = filter(fs, missing);
	if (err)
		return err;
	/* The tracer reads the threshold when it starts. */
	err = set(fs, fs->top, "tracing_thresh", us);
	if (err)
		return err;
	err = set(fs, fs->dir, "current_tracer", "function_graph");
	if (err)
		return err;
	err = switch_on(fs, setup->switches, missing);
	if (err)
		return err;
	err = setup->stacks ? stacks_on(fs, setup->switches, missing) : NULL;
	if (err)
		return err;
	fs->pipe = path_of(fs->dir, "trace_pipe");
	on = path_of(fs->dir, "tracing_on");
	return write_file(on, "1", O_TRUNC);
}

const char *kma_tracefs_pipe(const struct kma_tracefs *fs)
{
	return fs->pipe;
}

void kma_tracefs_leave(struct kma_tracefs *fs)
{
	if (!fs)
		return;
	if (fs->fd >= 0)
		close(fs->fd);
	free(fs->top);
	free(fs->dir);
	free(fs->pipe);
	free(fs->note);
	free(fs);
}

struct kma_err *kma_tracefs_close(struct kma_tracefs *fs)
{
	_cleanup_free_ char *on = NULL;
	struct kma_err *err;

	if (!fs)
		return NULL;
	/* Stop tracing first, so that partly restored settings cause no events. */
	on = fs->pipe ? path_of(fs->dir, "tracing_on") : NULL;
	if (on)
		kma_err_destroy(write_file(on, "0", O_TRUNC));
	err = restore(fs);
	if (!err)
		unlink(fs->note);
	kma_tracefs_leave(fs);
	return err;
}

static struct kma_err *find_place(struct kma_tracefs *fs, const char *dir)
{
	size_t nr = dir ? 1 : ARRAY_SIZE(places);
	const char *denied = NULL;

	for (size_t i = 0; i < nr; i++) {
		const char *place = dir ?: places[i];
		_cleanup_free_ char *tracer = path_of(place, "current_tracer");

		if (access(tracer, F_OK)) {
			if (errno == EACCES && !denied)
				denied = place;
			continue;
		}
		fs->top = kma_xmem(realpath(place, NULL));
		fs->dir = kma_xstrdup(fs->top);
		return NULL;
	}
	if (denied)
		return kma_err_create(denied, 0, "cannot read: %s; run this program as root",
				      strerror(EACCES));
	return kma_err_create(
		dir ?: places[0], 0,
		"not a tracefs; mount one (mount -t tracefs none %s) or name its directory with -s",
		places[0]);
}

static void leave(struct kma_tracefs **fs)
{
	kma_tracefs_leave(*fs);
}

struct kma_err *kma_tracefs_open(const char *dir, const char *note, struct kma_tracefs **ret)
{
	_cleanup_(leave) struct kma_tracefs *fs = kma_xcalloc(1, sizeof(*fs));
	struct kma_err *err;

	fs->fd = -1;
	fs->note = kma_xstrdup(note);
	err = find_place(fs, dir);
	if (err)
		return err;
	fs->fd = open(note, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fs->fd < 0)
		return file_error(note, "open");
	/* A small kernel may have no file locks at all (CONFIG_FILE_LOCKING). */
	if (flock(fs->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return kma_err_create(note, 0,
				      "locked by another 'kmem-account latency'; end that first");
	err = restore(fs);
	if (err)
		return err;
	*ret = fs;
	fs = NULL;
	return NULL;
}

/*
 * The names of shrinkers.
 *
 * debugfs has a directory for each shrinker, with its name but not its address; events have the
 * address but not the name. An open of the file "count" in that directory makes the kernel call
 *
 *	single_open(file, shrinker_debugfs_count_show, shrinker)
 *
 * in the opening task. A kprobe event logs that argument during the open, and a marker after it has
 * the name: two lines of one task in the log (latency.c). "count" is not read, so no shrinker is
 * called. Addresses in events must then be the real ones, not hashes (option hash-ptr, since
 * v5.12).
 *
 * Probes of other programs are never changed, and this probe is on only while a list is written.
 */
#define NAMES_PROBE "kmem_account/kma_open"
#define NAMES_EVENT "events/" NAMES_PROBE "/enable"

static const char names_probe_event[] = "p:" NAMES_PROBE " single_open shrinker=$arg3:x64\n";

static void names_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _cleanup_fd_ _cleanup_(names_close)

/* Write one name. A shrinker that was removed in the meantime needs none. */
static struct kma_err *names_one(int dir, int marker, const char *name)
{
	_cleanup_fd_ int fd = -1;
	char text[300];
	int len;

	len = snprintf(text, sizeof(text), "%s/count", name);
	if (len >= (int)sizeof(text))
		return NULL;
	fd = openat(dir, text, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = snprintf(text, sizeof(text), "kma_shrinker: %s\n", name);
	if (len < (int)sizeof(text) && write(marker, text, len) != len)
		return file_error("trace_marker", "write");
	return NULL;
}

/* Write a list of all names, and a marker after it, so that a reader knows that it is complete. */
static struct kma_err *names_list(struct kma_tracefs *fs, DIR *dir)
{
	_cleanup_free_ char *path = path_of(fs->dir, "trace_marker");
	_cleanup_fd_ int marker = -1;
	const struct dirent *entry;
	struct kma_err *err;
	char text[48];
	int len;

	marker = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (marker < 0)
		return file_error(path, "open");
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		err = names_one(dirfd(dir), marker, entry->d_name);
		if (err)
			return err;
	}
	len = snprintf(text, sizeof(text), "kma_shrinkers: %u\n", ++fs->lists);
	return write(marker, text, len) == len ? NULL : file_error(path, "write");
}

/*
 * Create the probe, once. Removing it clears the buffer, because the kernel may use its number for
 * another event, so it is removed only when all settings are restored.
 */
static struct kma_err *names_probe(struct kma_tracefs *fs, const char *event)
{
	_cleanup_free_ char *probes = path_of(fs->top, "kprobe_events");
	char undo[] = "-:" NAMES_PROBE, off[] = "0";
	struct kma_err *err;

	if (fs->probed)
		return NULL;
	/* The note is read from its end: the probe is switched off, then removed. */
	err = remember(fs, probes, undo);
	if (err)
		return err;
	err = remember(fs, event, off);
	if (err)
		return err;
	err = write_file(probes, names_probe_event, O_APPEND);
	if (err)
		return err;
	err = set(fs, fs->dir, "options/hash-ptr", "0");
	fs->probed = !err;
	return err;
}

/* Write a list; the probe is on only while this takes. */
static struct kma_err *names_write(struct kma_tracefs *fs, DIR *dir)
{
	_cleanup_free_ char *event = path_of(fs->dir, NAMES_EVENT);
	struct kma_err *err, *second;

	err = names_probe(fs, event);
	if (err)
		return err;
	err = write_file(event, "1", O_TRUNC);
	if (err)
		return err;
	err = names_list(fs, dir);
	second = write_file(event, "0", O_TRUNC);
	if (err)
		kma_err_destroy(second);
	return err ?: second;
}

static bool names_any(DIR *dir)
{
	const struct dirent *entry;
	bool any = false;

	while (!any && (entry = readdir(dir)))
		any = *entry->d_name != '.';
	rewinddir(dir);
	return any;
}

struct kma_err *kma_tracefs_names(struct kma_tracefs *fs, const char *shrinkers)
{
	_cleanup_dir_ DIR *dir = NULL;
	struct kma_err *err;

	if (fs->nameless)
		return NULL;
	dir = opendir(shrinkers);
	if (dir && !names_any(dir))
		return NULL;
	err = dir ? names_write(fs, dir) : file_error(shrinkers, "open");
	fs->nameless = err;
	return err;
}

unsigned int kma_tracefs_lists(const struct kma_tracefs *fs)
{
	return fs->nameless ? 0 : fs->lists;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs.c - set up tracing, and restore the settings. tracefs-file.c describes the note.
 */
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
#include "tracefs-file.h"
#include "tracefs.h"

#define KMA_TRACEFS_INSTANCE "instances/kmem-account-latency"
#define KMA_TRACEFS_FILTER   "set_ftrace_filter"
#define KMA_TRACEFS_TRIGGER  "trigger"
#define KMA_TRACEFS_PROBES   "kprobe_events"

static const char *const kma_tracefs_places[] = { "/sys/kernel/tracing",
						  "/sys/kernel/debug/tracing" };

static const char *const kma_tracefs_options[] = { "funcgraph-proc", "funcgraph-abstime",
						   "funcgraph-tail" };

static const char *const kma_tracefs_events[] = {
	"vmscan/mm_shrink_slab_start",		 "vmscan/mm_shrink_slab_end",
	"vmscan/mm_vmscan_direct_reclaim_begin", "vmscan/mm_vmscan_direct_reclaim_end",
	"vmscan/mm_vmscan_lru_shrink_inactive",	 "vmscan/mm_vmscan_memcg_reclaim_begin",
	"vmscan/mm_vmscan_memcg_reclaim_end",	 "compaction/mm_compaction_begin",
	"compaction/mm_compaction_end",		 "compaction/mm_compaction_try_to_compact_pages",
};

/* These events are frequent, so they are switched on only on request. */
static const char *const kma_tracefs_switch_events[] = {
	"sched/sched_switch", "irq/irq_handler_entry", "irq/irq_handler_exit",
	"irq/softirq_entry",  "irq/softirq_exit",
};

/*
 * The events that end a wait or a run of a shrinker get stacks. At that time the waiting code is on
 * the stack, and tasks that do not wait have no cost. kswapd has a cost for its own shrinkers.
 */
static const char *const kma_tracefs_stacks[] = {
	"events/vmscan/mm_vmscan_direct_reclaim_end/" KMA_TRACEFS_TRIGGER,
	"events/vmscan/mm_vmscan_memcg_reclaim_end/" KMA_TRACEFS_TRIGGER,
	"events/compaction/mm_compaction_end/" KMA_TRACEFS_TRIGGER,
	"events/vmscan/mm_shrink_slab_end/" KMA_TRACEFS_TRIGGER,
	/* The last one is used only with sched_switch: tasks whose allocation waits for a CPU. */
	"events/sched/sched_switch/" KMA_TRACEFS_TRIGGER,
};

/*
 * The names of a function in different kernels, the newest first. Only one of them is traced,
 * because one calls the other.
 */
static const char *const kma_tracefs_functions[][4] = {
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

/*
 * Restore the lines of a filter. Its commands (with a ":") are left out; an empty filter reads as a
 * line that begins with "#".
 */
static struct kma_err *kma_tracefs_put_filter(const char *path, char *lines)
{
	struct kma_err *err = kma_tracefs_write(path, "", O_TRUNC);
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
		err = kma_tracefs_write(path, name, O_APPEND);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *kma_tracefs_put(const char *path, char *value)
{
	const char *name = strrchr(path, '/');
	struct stat st;

	if (name && !strcmp(name + 1, KMA_TRACEFS_FILTER))
		return kma_tracefs_put_filter(path, value);
	/* O_TRUNC would also remove entries of other programs. Removing a missing entry fails. */
	if (value && name &&
	    (!strcmp(name + 1, KMA_TRACEFS_TRIGGER) || !strcmp(name + 1, KMA_TRACEFS_PROBES))) {
		kma_err_destroy(kma_tracefs_write(path, value, O_APPEND));
		return NULL;
	}
	if (!value)
		return rmdir(path) && errno != ENOENT ? kma_tracefs_error(path, "remove") : NULL;
	/* "1*": other programs have changed the event, too. Restore the 1. */
	value[strcspn(value, "*")] = '\0';
	/* An instance that no longer exists needs no restoring. */
	return stat(path, &st) ? NULL : kma_tracefs_write(path, value, O_TRUNC);
}

/*
 * Restore from the last change to the first. Tracing stops first, so that partly restored settings
 * cause no events.
 */
static struct kma_err *kma_tracefs_restore(struct kma_tracefs *fs)
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
		err = kma_tracefs_put(line, value);
		if (first)
			kma_err_destroy(err);
		first = first ?: err;
		len = line - text;
	}
	if (!first && ftruncate(fs->fd, 0))
		first = kma_tracefs_error(fs->note, "empty");
	return first;
}

/* Find a function by its name; suffixes of the compiler are permitted: compact_zone.isra.0. */
static char *kma_tracefs_find(const char *available, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = available; (at = strstr(at, name)); at += len)
		if ((at == available || at[-1] == '\n') && strchr(".\n ", at[len]))
			return kma_xstrndup(at, strcspn(at, "\n "));
	return NULL;
}

static void kma_tracefs_miss(struct kma_strbuf *missing, const char *name)
{
	kma_strbuf_printf(missing, "%s%s", missing->len ? ", " : "", name);
}

static struct kma_err *kma_tracefs_filter(struct kma_tracefs *fs, struct kma_strbuf *missing)
{
	_cleanup_free_ char *path = kma_tracefs_path(fs->dir, KMA_TRACEFS_FILTER);
	_cleanup_free_ char *available = NULL;
	struct kma_err *err;
	unsigned int found = 0;

	err = kma_tracefs_get(fs->top, "available_filter_functions", &available);
	if (err)
		return err;
	err = kma_tracefs_set(fs, fs->dir, KMA_TRACEFS_FILTER, "");
	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(kma_tracefs_functions); i++) {
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };
		_cleanup_free_ char *name = NULL;

		for (size_t n = 0; n < 4 && kma_tracefs_functions[i][n] && !name; n++)
			name = kma_tracefs_find(available, kma_tracefs_functions[i][n]);
		if (!name) {
			kma_tracefs_miss(missing, kma_tracefs_functions[i][0]);
			continue;
		}
		kma_strbuf_printf(&line, "%s\n", name);
		err = kma_tracefs_write(path, line.str, O_APPEND);
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
static struct kma_err *kma_tracefs_busy(const struct kma_tracefs *fs)
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
		err = kma_tracefs_get(fs->top, files[i].file, &value);
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
static struct kma_err *kma_tracefs_instance(struct kma_tracefs *fs)
{
	_cleanup_free_ char *dir = kma_tracefs_path(fs->top, KMA_TRACEFS_INSTANCE);
	_cleanup_free_ char *tracers = NULL;
	struct kma_err *err;

	err = kma_tracefs_remember(fs, dir, NULL);
	if (err)
		return err;
	if (mkdir(dir, 0700))
		return NULL;
	err = kma_tracefs_get(dir, "available_tracers", &tracers);
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
static struct kma_err *kma_tracefs_tracer(const struct kma_tracefs *fs)
{
	_cleanup_free_ char *tracers = NULL;
	struct kma_err *err = kma_tracefs_get(fs->dir, "available_tracers", &tracers);

	kma_err_destroy(err);
	if (err || strstr(tracers, "function_graph"))
		return NULL;
	return kma_err_create(
		fs->top, 0,
		"this kernel has no tracer function_graph (CONFIG_FUNCTION_GRAPH_TRACER); latency needs it");
}

/* Switch an event on. One that the kernel does not have (no compaction) is noted as missing. */
static struct kma_err *kma_tracefs_event(struct kma_tracefs *fs, const char *event,
					 struct kma_strbuf *missing)
{
	_cleanup_free_ char *path = NULL;
	char name[128];

	snprintf(name, sizeof(name), "events/%s/enable", event);
	path = kma_tracefs_path(fs->dir, name);
	if (access(path, F_OK)) {
		kma_tracefs_miss(missing, event);
		return NULL;
	}
	return kma_tracefs_set(fs, fs->dir, name, "1");
}

/* Switch on the options and events; each is a file that gets a 1. */
static struct kma_err *kma_tracefs_switch_on(struct kma_tracefs *fs, bool switches,
					     struct kma_strbuf *missing)
{
	struct kma_err *err = NULL;
	char name[128];

	for (size_t i = 0; i < ARRAY_SIZE(kma_tracefs_options); i++) {
		snprintf(name, sizeof(name), "options/%s", kma_tracefs_options[i]);
		err = kma_tracefs_set(fs, fs->dir, name, "1");
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_tracefs_events); i++) {
		err = kma_tracefs_event(fs, kma_tracefs_events[i], missing);
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_tracefs_switch_events) && switches; i++) {
		err = kma_tracefs_event(fs, kma_tracefs_switch_events[i], missing);
		if (err)
			return err;
	}
	return NULL;
}

/* Switch on stacks with offsets. A kernel without stack triggers works without them. */
static struct kma_err *kma_tracefs_stack(struct kma_tracefs *fs, bool switches,
					 struct kma_strbuf *missing)
{
	struct kma_err *err = kma_tracefs_set(fs, fs->dir, "options/sym-offset", "1");
	size_t nr = ARRAY_SIZE(kma_tracefs_stacks) - !switches;

	for (size_t i = 0; i < nr && !err; i++) {
		_cleanup_free_ char *path = kma_tracefs_path(fs->dir, kma_tracefs_stacks[i]);
		_cleanup_free_ char *was = NULL;
		char undo[] = "!stacktrace";
		struct kma_err *no;

		no = kma_tracefs_get(fs->dir, kma_tracefs_stacks[i], &was);
		/*
		 * The file has a trigger of another program, which stays; or a comment with the
		 * available triggers.
		 */
		if (!no && *was != '#' && strstr(was, "stacktrace"))
			continue;
		if (!no)
			err = kma_tracefs_remember(fs, path, undo);
		if (!no && !err)
			no = kma_tracefs_write(path, "stacktrace", O_APPEND);
		if (no)
			kma_tracefs_miss(missing, kma_tracefs_stacks[i]);
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
	err = kma_tracefs_instance(fs);
	if (err)
		return err;
	err = setup->force ? NULL : kma_tracefs_busy(fs);
	if (err)
		return err;
	err = kma_tracefs_tracer(fs);
	if (err)
		return err;
	err = kma_tracefs_set(fs, fs->dir, "tracing_on", "0");
	if (err)
		return err;
	err = kma_tracefs_filter(fs, missing);
	if (err)
		return err;
	/* The tracer reads the threshold when it starts. */
	err = kma_tracefs_set(fs, fs->top, "tracing_thresh", us);
	if (err)
		return err;
	err = kma_tracefs_set(fs, fs->dir, "current_tracer", "function_graph");
	if (err)
		return err;
	err = kma_tracefs_switch_on(fs, setup->switches, missing);
	if (err)
		return err;
	err = setup->stacks ? kma_tracefs_stack(fs, setup->switches, missing) : NULL;
	if (err)
		return err;
	fs->pipe = kma_tracefs_path(fs->dir, "trace_pipe");
	on = kma_tracefs_path(fs->dir, "tracing_on");
	return kma_tracefs_write(on, "1", O_TRUNC);
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
	on = fs->pipe ? kma_tracefs_path(fs->dir, "tracing_on") : NULL;
	if (on)
		kma_err_destroy(kma_tracefs_write(on, "0", O_TRUNC));
	err = kma_tracefs_restore(fs);
	if (!err)
		unlink(fs->note);
	kma_tracefs_leave(fs);
	return err;
}

static struct kma_err *kma_tracefs_place(struct kma_tracefs *fs, const char *dir)
{
	size_t nr = dir ? 1 : ARRAY_SIZE(kma_tracefs_places);
	const char *denied = NULL;

	for (size_t i = 0; i < nr; i++) {
		const char *place = dir ?: kma_tracefs_places[i];
		_cleanup_free_ char *tracer = kma_tracefs_path(place, "current_tracer");

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
		dir ?: kma_tracefs_places[0], 0,
		"not a tracefs; mount one (mount -t tracefs none %s) or name its directory with -s",
		kma_tracefs_places[0]);
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
	err = kma_tracefs_place(fs, dir);
	if (err)
		return err;
	fs->fd = open(note, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fs->fd < 0)
		return kma_tracefs_error(note, "open");
	/* A small kernel may have no file locks at all (CONFIG_FILE_LOCKING). */
	if (flock(fs->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return kma_err_create(note, 0,
				      "locked by another 'kmem-account latency'; end that first");
	err = kma_tracefs_restore(fs);
	if (err)
		return err;
	*ret = fs;
	fs = NULL;
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * task-scan.c - the existing tasks and their cgroups, from /proc.
 */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "task-scan.h"

#define KMA_TASK_KTHREAD 0x00200000UL /* PF_KTHREAD, in the flags of stat */
#define KMA_TASK_DELETED " (deleted)" /* follows the path of a removed cgroup */
#define KMA_TASK_RESCUER "kworker/R-"

/* Read a file of a thread; false if the thread has ended. */
static bool task_file(const char *root, uint32_t tid, const char *name, char **ret, size_t *len)
{
	char path[PATH_MAX];
	struct kma_err *err;

	snprintf(path, sizeof(path), "%s/proc/%" PRIu32 "/%s", root, tid, name);
	err = kma_file_slurp_regular(path, ret, len);
	kma_err_destroy(err);
	return !err;
}

/* The path in a line "5:cpu,memory:/path" if the line is of the hierarchy. */
static const char *task_cgroup_line(const char *line, unsigned int hierarchy)
{
	unsigned int number;
	const char *path;

	if (sscanf(line, "%u:", &number) != 1 || number != hierarchy)
		return NULL;
	path = strchr(line, '/');
	return path && path < line + strcspn(line, "\n") ? path : NULL;
}

static size_t task_cgroup(const char *root, uint32_t tid, unsigned int hierarchy,
			  struct kma_task_lines *lines)
{
	_cleanup_free_ char *text = NULL;
	const char *path = NULL;
	size_t len;

	if (!task_file(root, tid, "cgroup", &text, &len))
		return 0;
	for (const char *line = text; line && *line && !path; line = strchr(line, '\n')) {
		line += *line == '\n';
		path = task_cgroup_line(line, hierarchy);
	}
	if (!path)
		return 0;
	len = strcspn(path, "\n");
	if (len > strlen(KMA_TASK_DELETED) && !strncmp(path + len - strlen(KMA_TASK_DELETED),
						       KMA_TASK_DELETED, strlen(KMA_TASK_DELETED)))
		len -= strlen(KMA_TASK_DELETED);
	return kma_task_lines_cgroup(lines, path, len);
}

/* The flags are the seventh field after the name, which may have any characters. */
static bool task_is_kthread(const char *root, uint32_t tid)
{
	_cleanup_free_ char *text = NULL;
	unsigned long flags = 0;
	const char *after;
	size_t len;

	if (!task_file(root, tid, "stat", &text, &len))
		return false;
	after = strrchr(text, ')');
	return after && sscanf(after, ") %*c %*d %*d %*d %*d %*d %lu", &flags) == 1 &&
	       flags & KMA_TASK_KTHREAD;
}

static void task_scan_thread(const char *root, uint32_t tid, uint32_t tgid, unsigned int hierarchy,
			     struct kma_task_lines *lines)
{
	_cleanup_free_ char *comm = NULL;
	size_t len, cgroup;
	bool kthread;

	if (!task_file(root, tid, "comm", &comm, &len))
		return;
	cgroup = task_cgroup(root, tid, hierarchy, lines);
	kthread = task_is_kthread(root, tid);
	/* The file ends with a newline, which is not part of the name. */
	len = len ? len - 1 : 0;
	/*
	 * The name of a worker is followed by its current work: leave that out. That of a rescuer,
	 * "kworker/R-" (since v6.9), is followed by its workqueue, which is part of the name.
	 */
	if (kthread && !strncmp(comm, "kworker/", 8) &&
	    strncmp(comm, KMA_TASK_RESCUER, strlen(KMA_TASK_RESCUER)))
		len = strcspn(comm, "-+\n");
	kma_task_lines_task(lines, tid, tgid, kthread, cgroup, comm, len);
}

/* Scan each entry whose name is a number: processes, or (if @tgid is set) threads of one. */
static void task_scan_dir(const char *root, const char *path, uint32_t tgid, unsigned int hierarchy,
			  struct kma_task_lines *lines)
{
	DIR *dir = opendir(path);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		uint32_t number = strtoul(entry->d_name, NULL, 10);
		char threads[PATH_MAX];

		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		if (tgid) {
			task_scan_thread(root, number, tgid, hierarchy, lines);
			continue;
		}
		snprintf(threads, sizeof(threads), "%s/proc/%" PRIu32 "/task", root, number);
		task_scan_dir(root, threads, number, hierarchy, lines);
	}
	if (dir)
		closedir(dir);
}

void kma_task_scan(const char *root, struct kma_task_lines *lines)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/proc", root);
	task_scan_dir(root, path, 0, kma_task_scan_hierarchy(root), lines);
}

size_t kma_task_scan_cgroup(const char *root, uint32_t tid, struct kma_task_lines *lines)
{
	return task_cgroup(root, tid, kma_task_scan_hierarchy(root), lines);
}

/* Does the line "5:cpu,memory:/path" have the memory controller? */
static bool task_has_memory(const char *line, unsigned int *number)
{
	char names[128] = "", *rest = names;
	const char *name;

	if (sscanf(line, "%u:%127[^:\n]", number, names) != 2)
		return false;
	while ((name = strsep(&rest, ",")))
		if (!strcmp(name, "memory"))
			return true;
	return false;
}

unsigned int kma_task_scan_hierarchy(const char *root)
{
	_cleanup_free_ char *text = NULL;
	unsigned int number;
	size_t len;

	/* Task 1 serves as an example: all tasks have the same hierarchies. */
	if (!task_file(root, 1, "cgroup", &text, &len))
		return 0;
	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (task_has_memory(line, &number))
			return number;
	}
	return 0;
}

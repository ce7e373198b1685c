// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs-names.c - write the names of shrinkers into the log.
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
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "tracefs-file.h"
#include "tracefs-names.h"

#define KMA_NAMES_PROBE "kmem_account/kma_open"
#define KMA_NAMES_EVENT "events/" KMA_NAMES_PROBE "/enable"

static const char kma_names_set[] = "p:" KMA_NAMES_PROBE " single_open shrinker=$arg3:x64\n";

static void kma_names_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

#define _cleanup_fd_ _cleanup_(kma_names_close)

/* Write one name. A shrinker that was removed in the meantime needs none. */
static struct kma_err *kma_names_one(int dir, int marker, const char *name)
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
		return kma_tracefs_error("trace_marker", "write");
	return NULL;
}

/* Write a list of all names, and a marker after it, so that a reader knows that it is complete. */
static struct kma_err *kma_names_list(struct kma_tracefs *fs, DIR *dir)
{
	_cleanup_free_ char *path = kma_tracefs_path(fs->dir, "trace_marker");
	_cleanup_fd_ int marker = -1;
	const struct dirent *entry;
	struct kma_err *err;
	char text[48];
	int len;

	marker = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (marker < 0)
		return kma_tracefs_error(path, "open");
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		err = kma_names_one(dirfd(dir), marker, entry->d_name);
		if (err)
			return err;
	}
	len = snprintf(text, sizeof(text), "kma_shrinkers: %u\n", ++fs->lists);
	return write(marker, text, len) == len ? NULL : kma_tracefs_error(path, "write");
}

/*
 * Create the probe, once. Removing it clears the buffer, because the kernel may use its number for
 * another event, so it is removed only when all settings are restored.
 */
static struct kma_err *kma_names_probe(struct kma_tracefs *fs, const char *event)
{
	_cleanup_free_ char *probes = kma_tracefs_path(fs->top, "kprobe_events");
	char undo[] = "-:" KMA_NAMES_PROBE, off[] = "0";
	struct kma_err *err;

	if (fs->probed)
		return NULL;
	/* The note is read from its end: the probe is switched off, then removed. */
	err = kma_tracefs_remember(fs, probes, undo);
	if (err)
		return err;
	err = kma_tracefs_remember(fs, event, off);
	if (err)
		return err;
	err = kma_tracefs_write(probes, kma_names_set, O_APPEND);
	if (err)
		return err;
	err = kma_tracefs_set(fs, fs->dir, "options/hash-ptr", "0");
	fs->probed = !err;
	return err;
}

/* Write a list; the probe is on only while this takes. */
static struct kma_err *kma_names_write(struct kma_tracefs *fs, DIR *dir)
{
	_cleanup_free_ char *event = kma_tracefs_path(fs->dir, KMA_NAMES_EVENT);
	struct kma_err *err, *second;

	err = kma_names_probe(fs, event);
	if (err)
		return err;
	err = kma_tracefs_write(event, "1", O_TRUNC);
	if (err)
		return err;
	err = kma_names_list(fs, dir);
	second = kma_tracefs_write(event, "0", O_TRUNC);
	if (err)
		kma_err_destroy(second);
	return err ?: second;
}

static bool kma_names_any(DIR *dir)
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
	if (dir && !kma_names_any(dir))
		return NULL;
	err = dir ? kma_names_write(fs, dir) : kma_tracefs_error(shrinkers, "open");
	fs->nameless = err;
	return err;
}

unsigned int kma_tracefs_lists(const struct kma_tracefs *fs)
{
	return fs->nameless ? 0 : fs->lists;
}

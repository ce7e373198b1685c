// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs-file.c - files of tracefs, and the file with their old values.
 *
 * The note has a line for each changed file: its name, a tab, and its old content (with tabs
 * between lines). It has a line for the instance, with only its name. A line is written before its
 * change is made.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "tracefs-file.h"

struct kma_err *kma_tracefs_error(const char *path, const char *what)
{
	return kma_err_create(path, 0, "cannot %s: %s", what, strerror(errno));
}

/* In some of these files, each of several lines must be written with a write(2) of its own. */
struct kma_err *kma_tracefs_write(const char *path, const char *value, int flags)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	struct kma_err *err = NULL;
	size_t len = strlen(value);

	if (fd < 0)
		return kma_tracefs_error(path, "open");
	if (len && write(fd, value, len) != (ssize_t)len)
		err = kma_tracefs_error(path, "write");
	close(fd);
	return err;
}

char *kma_tracefs_path(const char *dir, const char *name)
{
	return kma_xasprintf("%s/%s", dir, name);
}

struct kma_err *kma_tracefs_remember(struct kma_tracefs *fs, const char *path, char *value)
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
		return kma_tracefs_error(fs->note, "write");
	return NULL;
}

struct kma_err *kma_tracefs_get(const char *dir, const char *name, char **ret)
{
	_cleanup_free_ char *path = kma_tracefs_path(dir, name);
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp_regular(path, ret, &len);
	if (err)
		return err;
	if (len && (*ret)[len - 1] == '\n')
		(*ret)[len - 1] = '\0';
	return NULL;
}

struct kma_err *kma_tracefs_set(struct kma_tracefs *fs, const char *dir, const char *name,
				const char *value)
{
	_cleanup_free_ char *path = kma_tracefs_path(dir, name);
	_cleanup_free_ char *was = NULL;
	struct kma_err *err;

	err = kma_tracefs_get(dir, name, &was);
	if (err)
		return err;
	err = kma_tracefs_remember(fs, path, was);
	if (err)
		return err;
	return kma_tracefs_write(path, value, O_TRUNC);
}

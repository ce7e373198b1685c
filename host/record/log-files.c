// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-files.c - the files of the event log: access to them, and unread data.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "log-files.h"

static struct kma_err *log_files_error(const char *path, int why)
{
	return kma_err_create_kind(
		KMA_ERR_NOT_READABLE, path, 0, "cannot open: %s%s", strerror(why),
		why == EPERM ?
			"; an event log contains addresses: reading it needs CAP_SYSLOG and CAP_PERFMON" :
			"");
}

struct kma_err *kma_log_files_readable(const char *path)
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

struct kma_err *kma_log_files_busy(const char *dir, bool *busy)
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
			err = kma_log_files_readable(path);
	}
	closedir(stream);
	*busy = *busy && !err;
	return err;
}

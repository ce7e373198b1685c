// SPDX-License-Identifier: GPL-2.0-only
/*
 * cachefile.c - files that later runs of the program reuse, in the user's cache directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atend.h"
#include "cachefile.h"
#include "cleanup.h"
#include "file.h"

/* Path of a file; NULL if there is no cache directory. @make: create the directories. */
static char *kma_cachefile_path(const char *folder, const char *name, bool make)
{
	const char *top = getenv("XDG_CACHE_HOME"), *below = "", *home = getenv("HOME");
	char *path;

	/* The XDG base directory specification says that a relative path is ignored. */
	if (!top || *top != '/') {
		top = home;
		below = "/.cache";
	}
	if (!top || *top != '/' || !*name ||
	    asprintf(&path, "%s%s/kmem-account/%s/%s", top, below, folder, name) < 0)
		return NULL;
	for (char *p = path + 1; make && (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			make = false; /* The file cannot be opened then, which is not an error. */
		*p = '/';
	}
	return path;
}

void *kma_cachefile_map(const char *folder, const char *name, size_t *ret_size)
{
	_cleanup_free_ char *path = kma_cachefile_path(folder, name, false);
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	void *map = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		*ret_size = st.st_size;
		map = mmap(NULL, *ret_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	}
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

void kma_cachefile_keep(const char *folder, const char *name, const void *bytes, size_t size)
{
	_cleanup_free_ char *path = kma_cachefile_path(folder, name, true);
	_cleanup_free_ char *temp = NULL;
	struct kma_err *err;
	size_t done = 0;
	int fd;

	if (!path)
		return;
	err = kma_file_temp(path, &temp, &fd);
	if (err) {
		kma_err_destroy(err);
		return;
	}
	while (done < size) {
		ssize_t wrote = write(fd, (const char *)bytes + done, size - done);

		if (wrote < 0 && errno != EINTR)
			break;
		done += wrote < 0 ? 0 : wrote;
	}
	if (close(fd) || done < size || rename(temp, path))
		unlink(temp);
	kma_atend_keep(temp);
}

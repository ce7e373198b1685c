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

#include "cachefile.h"
#include "cleanup.h"
#include "file.h"

/* Is a directory the user's own? Another user could put links into it, or make up a content. */
static bool cachefile_is_own(const char *dir)
{
	struct stat st;

	return !stat(dir, &st) && st.st_uid == geteuid();
}

/* The directories of a user: a variable of the environment, and the place below $HOME without it. */
struct cachefile_top {
	const char *variable, *below;
};

static const struct cachefile_top cache = { "XDG_CACHE_HOME", "/.cache" };
static const struct cachefile_top config = { "XDG_CONFIG_HOME", "/.config" };

/* Path of a file; NULL if there is no such directory. @make: create the directories. */
static char *cachefile_path(const struct cachefile_top *of, const char *folder, const char *name,
			    bool make)
{
	const char *top = getenv(of->variable), *below = "", *home = getenv("HOME");
	char *path;

	/* The XDG base directory specification says that a relative path is ignored. */
	if (!top || *top != '/') {
		top = home;
		below = of->below;
	}
	if (!top || *top != '/' || !*name || (!access(top, F_OK) && !cachefile_is_own(top)) ||
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

char *kma_cachefile_config(const char *folder, const char *name, bool make)
{
	return cachefile_path(&config, folder, name, make);
}

void *kma_cachefile_map(const char *folder, const char *name, size_t *ret_size)
{
	_cleanup_free_ char *path = cachefile_path(&cache, folder, name, false);
	void *map = MAP_FAILED;
	struct stat st;
	int fd = -1;

	if (path)
		kma_err_destroy(kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &fd, &st));
	if (fd < 0)
		return NULL;
	if (st.st_size) {
		*ret_size = st.st_size;
		map = mmap(NULL, *ret_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	}
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

void kma_cachefile_keep(const char *folder, const char *name, const void *bytes, size_t size)
{
	_cleanup_outfile_ struct kma_outfile *out = NULL;
	_cleanup_free_ char *path = cachefile_path(&cache, folder, name, true);
	struct kma_err *err;

	if (!path)
		return;
	err = kma_outfile_create(path, KMA_OUTFILE_USUAL, &out);
	if (out) {
		fwrite(bytes, 1, size, kma_outfile_stream(out));
		err = kma_outfile_commit(out);
	}
	kma_err_destroy(err);
}

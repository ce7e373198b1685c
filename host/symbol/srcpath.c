// SPDX-License-Identifier: GPL-2.0-only
/*
 * srcpath.c - make the names of source files relative to the top of the source tree.
 *
 * Each directory above one of the first 8 absolute names is a candidate. Its votes are the absolute
 * names that, relative to it, are in a directory of a relative name. The one with most votes wins,
 * and of several the shortest that was tried first.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "srcpath.h"

void kma_srcpath_normalise(char *path)
{
	char *floor = path + (*path == '/'); /* ".." cannot go above this */
	char *from = floor, *to = floor;

	while (*from) {
		size_t len = strcspn(from, "/");

		if (len == 2 && !strncmp(from, "..", 2)) {
			if (to > floor)
				to--; /* the slash before */
			while (to > floor && to[-1] != '/')
				to--;
		} else if (len && !(len == 1 && *from == '.')) {
			memmove(to, from, len);
			to += len;
			if (from[len])
				*to++ = '/';
		}
		from += len + (from[len] == '/');
	}
	if (to > floor && to[-1] == '/')
		to--;
	*to = '\0';
}

void kma_srcpath_strip_dir(char *path, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	if (len && !strncmp(path, dir, len) && path[len] == '/')
		memmove(path, path + len + 1, strlen(path + len + 1) + 1);
}

static int cmp_dir(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Directories of the relative names, sorted. */
struct kma_dirs {
	char **names;
	size_t nr;
};

static void dirs_deinit(struct kma_dirs *dirs)
{
	for (size_t i = 0; i < dirs->nr; i++)
		free(dirs->names[i]);
	free(dirs->names);
}

static void dirs_init(struct kma_dirs *dirs, char **paths, size_t nr)
{
	dirs->nr = 0;
	dirs->names = kma_xmalloc((nr + 1) * sizeof(*dirs->names));
	for (size_t i = 0; i < nr; i++) {
		const char *slash = strrchr(paths[i], '/');

		if (paths[i][0] == '/' || !slash)
			continue;
		dirs->names[dirs->nr] = kma_xstrndup(paths[i], slash - paths[i]);
		dirs->nr++;
	}
	if (dirs->nr)
		qsort(dirs->names, dirs->nr, sizeof(*dirs->names), cmp_dir);
}

static bool dirs_have(const struct kma_dirs *dirs, const char *name, size_t len)
{
	size_t at = kma_array_search(dirs->nr, i, strncmp(dirs->names[i], name, len) < 0);

	/* The name itself is sorted before the names that begin with it. */
	return at < dirs->nr && !strncmp(dirs->names[at], name, len) && !dirs->names[at][len];
}

/* Count the absolute names that are in a known directory without their first @len bytes. */
static size_t root_votes(char **paths, size_t nr, const struct kma_dirs *dirs, const char *root,
			 size_t len)
{
	size_t votes = 0;

	for (size_t i = 0; i < nr; i++) {
		const char *slash = strrchr(paths[i], '/');

		if (paths[i][0] != '/' || strncmp(paths[i], root, len) || paths[i][len] != '/' ||
		    slash <= paths[i] + len)
			continue;
		votes += dirs_have(dirs, paths[i] + len + 1, slash - paths[i] - len - 1);
	}
	return votes;
}

/* Length of the candidate with most votes; 0 if none has a vote. */
static size_t root_by_votes(char **paths, size_t nr, const struct kma_dirs *dirs, const char **root)
{
	size_t best = 0, best_len = 0, tried = 0;

	for (size_t i = 0; i < nr && tried < 8; i++) {
		if (paths[i][0] != '/')
			continue;
		tried++;
		for (const char *p = strchr(paths[i] + 1, '/'); p; p = strchr(p + 1, '/')) {
			size_t votes = root_votes(paths, nr, dirs, paths[i], p - paths[i]);

			if (votes > best) {
				best = votes;
				best_len = p - paths[i];
				*root = paths[i];
			}
		}
	}
	return best_len;
}

/* Length of the longest directory that all absolute names share. */
static size_t root_common(char **paths, size_t nr, const char **root)
{
	size_t len = 0;

	*root = NULL;
	for (size_t i = 0; i < nr; i++) {
		size_t same = 0;

		if (paths[i][0] != '/')
			continue;
		if (!*root) {
			*root = paths[i];
			len = strrchr(paths[i], '/') - paths[i];
			continue;
		}
		while (same < len && paths[i][same] == (*root)[same])
			same++;
		if (same == len && paths[i][same] == '/')
			continue;
		/* Go back to the last slash that both have. */
		while (same && (*root)[same - 1] != '/')
			same--;
		len = same ? same - 1 : 0;
	}
	return len;
}

void kma_srcpath_relative(char **paths, size_t nr)
{
	_cleanup_free_ char *dir = NULL;
	struct kma_dirs dirs;
	const char *root = NULL;
	size_t len;

	dirs_init(&dirs, paths, nr);
	len = root_by_votes(paths, nr, &dirs, &root);
	dirs_deinit(&dirs);
	if (!len)
		len = root_common(paths, nr, &root);
	if (!len)
		return;
	dir = kma_xstrndup(root, len);
	for (size_t i = 0; i < nr; i++)
		kma_srcpath_strip_dir(paths[i], dir);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline-cache.c - stores tables of inlines below the cache directory,
 *
 *	${XDG_CACHE_HOME:-~/.cache}/kmem-account/inlines/BUILD-ID
 *
 * They are written under a temporary name and then renamed, so that a reader finds a complete file
 * or none, and several writers do not disturb each other. An invalid file is ignored and replaced,
 * so the cache needs no maintenance.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "inline-cache.h"
#include "lib/atend.h"
#include "lib/cleanup.h"
#include "lib/file.h"

/* Path of a table, NULL when there is no place for one; makes the folders if @make. */
static char *kma_cache_path(const char *build_id, bool make)
{
	const char *top = getenv("XDG_CACHE_HOME"), *below = "", *home = getenv("HOME");
	char *path;

	/* The XDG specification: what is not absolute is ignored. */
	if (!top || *top != '/') {
		top = home;
		below = "/.cache";
	}
	if (!top || *top != '/' || !*build_id ||
	    asprintf(&path, "%s%s/kmem-account/inlines/%s", top, below, build_id) < 0)
		return NULL;
	for (char *p = path + 1; make && (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(path, 0777) && errno != EEXIST)
			make = false; /* opening will fail, and that is fine */
		*p = '/';
	}
	return path;
}

static uint64_t kma_cache_hash(const struct kma_inlines_header *hdr)
{
	size_t from = offsetof(struct kma_inlines_header, hash) + sizeof(hdr->hash);

	return XXH3_64bits((const char *)hdr + from, hdr->size - from);
}

static bool kma_cache_right(const struct kma_image *image, const struct kma_inlines_header *hdr,
			    size_t size)
{
	return size >= sizeof(*hdr) && !memcmp(hdr->magic, KMA_INLINES_MAGIC, sizeof(hdr->magic)) &&
	       hdr->version == KMA_INLINES_VERSION && hdr->order == KMA_INLINES_ORDER &&
	       hdr->source == kma_image_size(image) &&
	       !strncmp(hdr->build_id, kma_image_build_id(image), sizeof(hdr->build_id)) &&
	       kma_inlines_sound(hdr, size) && hdr->hash == kma_cache_hash(hdr);
}

static void *kma_cache_map(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *map = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size) {
		*size = st.st_size;
		map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	}
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

struct kma_err *kma_inlines_load(const struct kma_image *image, struct kma_inlines **ret)
{
	_cleanup_free_ char *path = kma_cache_path(kma_image_build_id(image), false);
	struct kma_inlines_header *hdr;
	size_t size;

	*ret = NULL;
	hdr = path ? kma_cache_map(path, &size) : NULL;
	if (!hdr)
		return NULL;
	if (!kma_cache_right(image, hdr, size)) {
		munmap(hdr, size);
		return NULL;
	}
	*ret = calloc(1, sizeof(**ret));
	if (!*ret) {
		munmap(hdr, size);
		return &kma_enomem;
	}
	(*ret)->hdr = hdr;
	(*ret)->mapped = size;
	return NULL;
}

void kma_inlines_keep(struct kma_inlines_header *hdr)
{
	_cleanup_free_ char *path = kma_cache_path(hdr->build_id, true);
	_cleanup_free_ char *temp = NULL;
	const char *bytes = (const char *)hdr;
	struct kma_err *err;
	size_t done = 0;
	int fd;

	hdr->hash = kma_cache_hash(hdr);
	if (!path || !hdr->units)
		return;
	err = kma_file_temp(path, &temp, &fd);
	if (err) {
		kma_err_destroy(err);
		return;
	}
	while (done < hdr->size) {
		ssize_t wrote = write(fd, bytes + done, hdr->size - done);

		if (wrote < 0 && errno != EINTR)
			break;
		done += wrote < 0 ? 0 : wrote;
	}
	if (close(fd) || done < hdr->size || rename(temp, path))
		unlink(temp);
	kma_atend_keep(temp);
}

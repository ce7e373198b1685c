/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cachefile.h - files that are kept for later below the cache folder,
 *
 *	${XDG_CACHE_HOME:-~/.cache}/kmem-account/FOLDER/NAME
 *
 * A file is written beside its name first and then renamed, so that a reader finds all of it
 * or nothing, and several writers do not meet. What a file holds is checked by its reader: a
 * file that is not right in every way is passed over and replaced, so that no user has to
 * know of the cache or clean it.
 */
#ifndef KMA_LIB_CACHEFILE_H
#define KMA_LIB_CACHEFILE_H

#include <stddef.h>

/**
 * kma_cachefile_map() - map a file that was kept
 * @folder: kind of file ("inlines")
 * @name: its name, the build ID of what it was made of; "" is never kept
 * @ret_size: its bytes
 *
 * Return: its bytes, to be unmapped by the caller; NULL when there is no such file.
 */
void *kma_cachefile_map(const char *folder, const char *name, size_t *ret_size);

/**
 * kma_cachefile_keep() - keep bytes for later
 * @folder: kind of file
 * @name: its name
 * @bytes: what to keep
 * @size: how many
 *
 * That the file cannot be kept is no error: no cache folder, no space, no name.
 */
void kma_cachefile_keep(const char *folder, const char *name, const void *bytes, size_t size);

#endif /* KMA_LIB_CACHEFILE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cachefile.h - files that later runs of the program reuse, in the user's cache directory:
 *
 *	${XDG_CACHE_HOME:-~/.cache}/kmem-account/FOLDER/NAME
 *
 * A file is written under a temporary name in the same directory and renamed, so that a reader
 * finds the whole file or none, and several writers do not disturb each other. The reader must
 * validate the content, and ignore and replace a file that is not valid in every respect: no user
 * has to know of the cache or clean it. Files are never removed or limited here.
 */
#ifndef KMA_LIB_CACHEFILE_H
#define KMA_LIB_CACHEFILE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @folder is a kind of file ("inlines"), @name the build ID of the image that the file describes;
 * with "" there is no file. Returns the content, which the caller has to unmap; NULL if there is no
 * such file.
 */
void *kma_cachefile_map(const char *folder, const char *name, size_t *ret_size);

/* A file that cannot be written (no home directory, no space, no permission) is not an error. */
void kma_cachefile_keep(const char *folder, const char *name, const void *bytes, size_t size);

/*
 * The path of a file that the user keeps in the configuration directory, to be freed:
 *
 *	${XDG_CONFIG_HOME:-~/.config}/kmem-account/FOLDER/NAME
 *
 * NULL if there is no such directory, or if it belongs to another user. @make: make the directories
 * as far as possible.
 */
char *kma_cachefile_config(const char *folder, const char *name, bool make);

#endif /* KMA_LIB_CACHEFILE_H */

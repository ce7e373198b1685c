/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - names of source files from the symbols of an image without debugging information.
 *
 * In a table of symbols, an entry STT_FILE comes before the local symbols of an object: "super.c",
 * without a directory. The global symbols of all objects come after all local ones, without such an
 * entry. Their objects are found
 *
 *	by name		symbols such as foo.cold and foo.part.0 are local, as are those that
 *			EXPORT_SYMBOL(foo) makes (until 6.3); foo is in the same object
 *	by position	the code of an object is contiguous: a symbol between two symbols of one
 *			object belongs to that object
 *
 * If both fail, or hints disagree, the function has no file: nothing is guessed. Of 10,000
 * functions of a stock 6.1 that were chosen at random, four in five get a file.
 */
#ifndef KMA_SYMBOL_ORIGIN_H
#define KMA_SYMBOL_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_origins;

/**
 * kma_origins_create() - read the symbols of an image
 * @path: vmlinux, not compressed
 * @ret: the table, which may be empty
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_origins_create(const char *path, struct kma_origins **ret);

/**
 * kma_origins_destroy() - free the table
 * @origins: from kma_origins_create(); NULL is fine
 */
void kma_origins_destroy(struct kma_origins *origins);

/**
 * kma_origins_count() - get the number of addresses that have a symbol
 * @origins: the table
 *
 * Return: the number; 0 if the image names no files, because strip -g removes STT_FILE.
 */
size_t kma_origins_count(const struct kma_origins *origins);

/**
 * kma_origins_at() - get the file that a function was compiled from
 * @origins: the table
 * @addr: first address of the function
 *
 * Return: a name, mostly without a directory, valid as long as @origins; NULL if it is unknown.
 */
const char *kma_origins_at(const struct kma_origins *origins, uint64_t addr);

#endif /* KMA_SYMBOL_ORIGIN_H */

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

/* Reads the symbols of a vmlinux that is not compressed. The table may be empty. */
struct kma_err *kma_origins_create(const char *path, struct kma_origins **ret);

/* NULL is fine. */
void kma_origins_destroy(struct kma_origins *origins);

/*
 * Addresses that have a symbol; 0 if the image names no files, because strip -g removes STT_FILE.
 */
size_t kma_origins_count(const struct kma_origins *origins);

/*
 * The file of the function at its first address, mostly without a directory, valid as long as
 * @origins; NULL if it is unknown.
 */
const char *kma_origins_at(const struct kma_origins *origins, uint64_t addr);

#endif /* KMA_SYMBOL_ORIGIN_H */

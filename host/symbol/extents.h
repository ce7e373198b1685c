/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * extents.h - which compilation unit each range of code and each variable of a file comes from,
 * according to the debugging information.
 *
 * Only the entries at the top of each unit are read: its ranges, and its variables, also those in
 * namespaces. Functions are skipped, so a vmlinux of 590 MB takes about a second on two CPUs.
 * Variables inside functions are therefore unknown here; the symbol table has them, next to the
 * other local symbols of their unit.
 *
 * The result is two arrays sorted by start, one of code and one of variables, which are searched
 * binarily. Ranges of code are assumed not to overlap. A range or variable takes 24 bytes.
 *
 * Locking: each thread of kma_extents_create() writes only to its own lists; unit-walk.h has the
 * rest. The threads are joined before the function returns.
 */
#ifndef KMA_SYMBOL_EXTENTS_H
#define KMA_SYMBOL_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "lib/err.h"

/* No unit is known for the bytes. */
#define KMA_EXTENT_NONE UINT32_MAX

/* Bytes of one unit. Positions are made by kma_extents_key(). */
struct kma_extent {
	uint64_t start;
	uint64_t end; /* of a variable: the byte after @start, because its size is not read */
	uint32_t unit;
};

struct kma_extents {
	char **files; /* by number of the unit: its main file, relative to the top of the source */
	size_t nr_files;
	struct kma_extent *code; /* sorted by start */
	size_t nr_code;
	struct kma_extent *data; /* sorted by start */
	size_t nr_data;
	uint64_t missing; /* units that are corrupt, or whose split file (.dwo) was not found */
};

/*
 * Reads the top of each compilation unit of a linked kernel, or of a module, which is relocated
 * first. @ret does not need @image any longer.
 */
struct kma_err *kma_extents_create(const struct kma_image *image, struct kma_extents **ret);

/* NULL is fine. */
void kma_extents_destroy(struct kma_extents *ext);

/*
 * The position of a byte: its address in a linked kernel; in a module a number made of the section
 * (below 2^24) and the offset @value in it (below 2^40).
 */
static inline uint64_t kma_extents_key(bool relocatable, uint32_t section, uint64_t value)
{
	return relocatable ? (uint64_t)section << 40 | value : value;
}

/*
 * The unit that covers @key; otherwise the first one that begins within @size bytes, or
 * KMA_EXTENT_NONE. @size = 0: the code begins at @key.
 */
uint32_t kma_extents_code(const struct kma_extents *ext, uint64_t key, uint64_t size);

/* The unit of the first variable that begins in @size bytes from @key, or KMA_EXTENT_NONE. */
uint32_t kma_extents_data(const struct kma_extents *ext, uint64_t key, uint64_t size);

#endif /* KMA_SYMBOL_EXTENTS_H */

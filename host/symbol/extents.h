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

/**
 * kma_extents_create() - read the top of each compilation unit
 * @image: a linked kernel, or a module, which is relocated first
 * @ret: the extents, which do not need @image any longer
 *
 * Return: NULL, or an error that names @image if libdw cannot read it.
 */
struct kma_err *kma_extents_create(const struct kma_image *image, struct kma_extents **ret);

/**
 * kma_extents_destroy() - free extents
 * @ext: from kma_extents_create(); NULL is fine
 */
void kma_extents_destroy(struct kma_extents *ext);

/**
 * kma_extents_key() - make the position of a byte
 * @relocatable: true for a module, where @value is an offset in its section
 * @section: index of the section in the file, below 2^24
 * @value: value of a symbol of the file; in a module below 2^40
 *
 * Return: the address in a linked kernel; in a module a number that combines section and offset.
 */
static inline uint64_t kma_extents_key(bool relocatable, uint32_t section, uint64_t value)
{
	return relocatable ? (uint64_t)section << 40 | value : value;
}

/**
 * kma_extents_code() - find the unit of code
 * @ext: the extents
 * @key: position of the first byte
 * @size: bytes in which the code may begin; 0: it begins at @key
 *
 * Return: the unit that covers @key; otherwise the first one that begins within @size bytes, or
 * KMA_EXTENT_NONE.
 */
uint32_t kma_extents_code(const struct kma_extents *ext, uint64_t key, uint64_t size);

/**
 * kma_extents_data() - find the unit of a variable
 * @ext: the extents
 * @key: position of the first byte
 * @size: bytes in which a variable may begin
 *
 * Return: the unit of the first variable that begins in these bytes, or KMA_EXTENT_NONE.
 */
uint32_t kma_extents_data(const struct kma_extents *ext, uint64_t key, uint64_t size);

#endif /* KMA_SYMBOL_EXTENTS_H */

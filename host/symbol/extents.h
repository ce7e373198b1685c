/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * extents.h - which compilation unit each range of code and each variable of a file comes
 * from, as the debugging information says.
 *
 * Only the entries at the top of each unit are read: its ranges and its variables. The
 * functions are skipped, so that a vmlinux of 590 MB takes about a second on two CPUs.
 * Variables inside of functions are therefore unknown; the symbol table has them beside
 * the other local symbols of their unit.
 *
 * Locking: the threads of kma_extents_create() each have a handle of libdw of their own,
 * take units off one atomic counter, and write to themselves alone. They are joined
 * before it returns.
 */
#ifndef KMA_SYMBOL_EXTENTS_H
#define KMA_SYMBOL_EXTENTS_H

#include <stddef.h>
#include <stdint.h>

#include "image.h"
#include "lib/err.h"

/* No unit is known. */
#define KMA_EXTENT_NONE UINT32_MAX

/* Bytes of one unit. Positions are those of kma_extents_key(). */
struct kma_extent {
	uint64_t start;
	uint64_t end; /* of a variable: the byte after @start, because its size is not read */
	uint32_t unit;
};

struct kma_extents {
	char **files; /* by unit: its main file, relative to the top of the source */
	size_t nr_files;
	struct kma_extent *code; /* by start */
	size_t nr_code;
	struct kma_extent *data; /* by start */
	size_t nr_data;
	uint64_t missing; /* units that are damaged, or whose split file (.dwo) was not found */
};

/**
 * kma_extents_create() - read the top of each compilation unit
 * @image: a linked kernel or a module; a module is relocated
 * @ret: the extents; do not need @image any longer
 *
 * Return: NULL; or an error that names @image when libdw cannot read it.
 */
struct kma_err *kma_extents_create(const struct kma_image *image, struct kma_extents **ret);

/**
 * kma_extents_destroy() - free extents
 * @ext: from kma_extents_create(); NULL is fine
 */
void kma_extents_destroy(struct kma_extents *ext);

/**
 * kma_extents_key() - position of a byte
 * @relocatable: the file is a module: @value is an offset in its section
 * @section: index of the section in the file
 * @value: as a symbol of the file has it
 *
 * Return: the address in a linked kernel; in a module a number that has section and offset.
 */
static inline uint64_t kma_extents_key(bool relocatable, uint32_t section, uint64_t value)
{
	return relocatable ? (uint64_t)section << 40 | value : value;
}

/**
 * kma_extents_code() - the unit of code
 * @ext: the extents
 * @key: position of the first byte
 * @size: bytes in which the code may begin, 0: it begins at @key
 *
 * Return: the unit that covers @key, else the first that begins after it, or KMA_EXTENT_NONE.
 */
uint32_t kma_extents_code(const struct kma_extents *ext, uint64_t key, uint64_t size);

/**
 * kma_extents_data() - the unit of a variable
 * @ext: the extents
 * @key: position of the first byte
 * @size: bytes in which a variable may begin
 *
 * Return: the unit of the first variable that begins there, or KMA_EXTENT_NONE.
 */
uint32_t kma_extents_data(const struct kma_extents *ext, uint64_t key, uint64_t size);

#endif /* KMA_SYMBOL_EXTENTS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - a table of types as a file, so that a machine without debugging information has the types of
 * a kernel: Documentation/format/types.rst.
 */
#ifndef KMA_TYPES_FILE_H
#define KMA_TYPES_FILE_H

#include "lib/err.h"
#include "table.h"

/**
 * kma_types_pack() - make the bytes of a file
 * @types: sorted (kma_types_sort()), with the images and functions of its calls
 * @ret_size: set to the number of bytes
 *
 * Calls for which nothing is known are left out.
 *
 * Return: the bytes, to be freed.
 */
void *kma_types_pack(const struct kma_types *types, size_t *ret_size);

/* Do the bytes of a file begin as those of a table do? */
bool kma_types_is_table(const void *bytes, size_t size);

/**
 * kma_types_unpack() - read a file
 * @name: of the file, for messages
 * @bytes: its content
 * @size: number of @bytes
 * @types: empty; filled in, to be freed also after an error
 *
 * Return: NULL, or an error of kind KMA_ERR_OTHER_FORMAT or KMA_ERR_DAMAGED.
 */
struct kma_err *kma_types_unpack(const char *name, const void *bytes, size_t size,
				 struct kma_types *types);

#endif /* KMA_TYPES_FILE_H */

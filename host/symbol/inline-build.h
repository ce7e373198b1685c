/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-build.h - a table of inlines out of the debugging information of a file.
 */
#ifndef KMA_SYMBOL_INLINE_BUILD_H
#define KMA_SYMBOL_INLINE_BUILD_H

#include "inline-table.h"

/**
 * kma_inlines_walk() - make a table
 * @image: the file
 * @ret: header and parts, to be freed; the hash is not set
 * @missing: see kma_inlines_missing()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_inlines_walk(const struct kma_image *image, struct kma_inlines_header **ret,
				 uint64_t *missing);

#endif /* KMA_SYMBOL_INLINE_BUILD_H */

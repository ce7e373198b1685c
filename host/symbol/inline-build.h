/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-build.h - build the table of inlines of a file from its debugging information.
 */
#ifndef KMA_SYMBOL_INLINE_BUILD_H
#define KMA_SYMBOL_INLINE_BUILD_H

#include "inline-table.h"

/*
 * Builds the table: header and parts in one block, for the caller to free; the hash is not set.
 * @missing: see kma_inlines_missing().
 */
struct kma_err *kma_inlines_walk(const struct kma_image *image, struct kma_inlines_header **ret,
				 uint64_t *missing);

#endif /* KMA_SYMBOL_INLINE_BUILD_H */

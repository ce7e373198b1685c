/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-cache.h - store tables of inlines in the cache directory, and read them from there.
 */
#ifndef KMA_SYMBOL_INLINE_CACHE_H
#define KMA_SYMBOL_INLINE_CACHE_H

#include "inline-table.h"

/**
 * kma_inlines_load() - read a stored table
 * @image: the file that the table must belong to
 * @ret: the table, NULL if there is no valid one
 */
void kma_inlines_load(const struct kma_image *image, struct kma_inlines **ret);

/**
 * kma_inlines_keep() - store a table
 * @hdr: the table; its hash is set here
 *
 * Failure to store it (no cache directory, disk full, no build ID) is not an error.
 */
void kma_inlines_keep(struct kma_inlines_header *hdr);

#endif /* KMA_SYMBOL_INLINE_CACHE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-cache.h - tables of inlines, kept for later.
 */
#ifndef KMA_SYMBOL_INLINE_CACHE_H
#define KMA_SYMBOL_INLINE_CACHE_H

#include "inline-table.h"

/**
 * kma_inlines_load() - read a stored table
 * @image: the file that the table must belong to
 * @ret: the table, NULL if there is no valid one
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_inlines_load(const struct kma_image *image, struct kma_inlines **ret);

/**
 * kma_inlines_keep() - store a table
 * @hdr: the table; its hash is set
 *
 * Failure to store it (no cache directory, disk full, no build ID) is not an error.
 */
void kma_inlines_keep(struct kma_inlines_header *hdr);

#endif /* KMA_SYMBOL_INLINE_CACHE_H */

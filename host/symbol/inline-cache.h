/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-cache.h - tables of inlines, kept for later.
 */
#ifndef KMA_SYMBOL_INLINE_CACHE_H
#define KMA_SYMBOL_INLINE_CACHE_H

#include "inline-table.h"

/**
 * kma_inlines_load() - read a kept table
 * @image: the file that it shall be of
 * @ret: the table, NULL when there is none that can be trusted
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_inlines_load(const struct kma_image *image, struct kma_inlines **ret);

/**
 * kma_inlines_keep() - keep a table for later
 * @hdr: the table; its hash is set
 *
 * That it cannot be kept is no error: no cache folder, no room, no build ID.
 */
void kma_inlines_keep(struct kma_inlines_header *hdr);

#endif /* KMA_SYMBOL_INLINE_CACHE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache_report.h - the live objects by the cache that they come from.
 *
 * No event is asked for it: survey.h tells the slab of each live object. A cache
 * counts only if its objects have the size that the map has for the object. What
 * cannot be told goes to a row of its own, so that the rows always add up to what
 * the map has.
 */
#ifndef KMA_CACHES_H
#define KMA_CACHES_H

#include <linux/types.h>

struct kma_caches;
struct seq_file;

/**
 * kma_caches_create() - walk over the live objects and sum them by cache
 *
 * Context: process, may sleep; freezes the account for moments.
 * Return: the sums, to be released with kma_caches_destroy(); ERR_PTR: -ENOMEM,
 * or -ESTALE if the account began anew meanwhile.
 */
struct kma_caches *kma_caches_create(void);

/**
 * kma_caches_destroy() - release the sums
 * @caches: the sums
 */
void kma_caches_destroy(struct kma_caches *caches);

/**
 * kma_caches_show() - print debugfs' caches
 * @m: where to print
 * @caches: the sums
 *
 * Context: process.
 */
void kma_caches_show(struct seq_file *m, const struct kma_caches *caches);

#endif /* KMA_CACHES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cache_report.h - the live objects by the cache that they come from.
 *
 * Events do not record the cache: survey.h finds the slab of each live object. A cache is
 * used only if its objects have the size that the map has for the object. Objects without a
 * known cache have a row of their own, so that the rows always add up to the map.
 */
#ifndef KMA_CACHE_REPORT_H
#define KMA_CACHE_REPORT_H

#include <linux/types.h>

struct seq_file;

/*
 * Walk over the live objects and sum them by cache; freezes the account for moments. Released with
 * kma_cache_report_destroy(). ERR_PTR: -EOPNOTSUPP if the module does not know how this kernel
 * links an object to its cache, -ENOMEM, or -ESTALE if another account has begun during the walk.
 */
void *kma_cache_report_create(void);
void kma_cache_report_destroy(void *caches);
void kma_cache_report_show(struct seq_file *m, const void *caches);

#endif /* KMA_CACHE_REPORT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_bulk.h - pages that are allocated in bulk.
 *
 * alloc_pages_bulk() allocates many pages with one call, mainly for vmalloc(). It has an
 * event only for pages that it takes from alloc_pages(), but each of its pages is freed with
 * an event. A probe at its return counts the pages that the account does not know. kprobe.c
 * attaches it, like the probes of the bulk calls of the slab allocator.
 *
 * The array of the caller may contain pages from before the call; the function fills the
 * empty elements. The account knows these older pages, unless they are older than the
 * account. In that case they are counted as pages of this call.
 */
#ifndef KMA_PAGEBULK_H
#define KMA_PAGEBULK_H

#include <linux/kprobes.h>

/* Attached only if KMA_HAS_PAGE_BULK (compat/pages.h). */
extern struct kretprobe kma_page_bulk;

#endif /* KMA_PAGEBULK_H */

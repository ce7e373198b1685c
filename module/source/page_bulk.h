/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page_bulk.h - pages that are allocated in bulk.
 *
 * alloc_pages_bulk() gives pages by the dozen, to vmalloc() first of all, and
 * makes an event only of those that it takes from alloc_pages() when it runs
 * short. Each of them is freed with an event. A probe at its return books those
 * that the account does not know. Found by kprobe.c, in its table, like the
 * bulk calls of the slab allocator.
 *
 * Its array may hold pages from before the call; it fills what is empty. They
 * are known, unless they are older than the account: then they are booked as if
 * they came with this call.
 */
#ifndef KMA_PAGEBULK_H
#define KMA_PAGEBULK_H

#include <linux/kprobes.h>

/* Attached only if KMA_HAS_PAGE_BULK (compat/pages.h). */
extern struct kretprobe kma_page_bulk;

#endif /* KMA_PAGEBULK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pages.h - interfaces of the page allocator.
 */
#ifndef KMA_COMPAT_PAGES_H
#define KMA_COMPAT_PAGES_H

#include <linux/mm.h>

#ifdef KMA_MAX_ORDER
/*
 * The largest order of a block before v6.8 (commit 5e0a760b4441). Before v6.4 (commit
 * 23baf831a32c) MAX_ORDER is one more than that, which has no effect here.
 */
#define KMA_PAGE_ORDER_MAX	MAX_ORDER
#else
/* The largest order of a block. */
#define KMA_PAGE_ORDER_MAX	MAX_PAGE_ORDER
#endif

#ifdef KMA_ANY_KERNEL
/* The bulk allocator is new in v5.13 (commit 387ba26fb1cb), and renamed in v6.10. */
#endif
#if defined(KMA_PAGE_BULK_PLAIN) || defined(KMA_NO_PAGE_BULK)
#define KMA_PAGE_BULK		"__alloc_pages_bulk"
#else
#define KMA_PAGE_BULK		"alloc_pages_bulk_noprof"
#endif

#ifdef KMA_NO_PAGE_BULK
#define KMA_HAS_PAGE_BULK	false
#else
#define KMA_HAS_PAGE_BULK	true
#endif

#ifdef KMA_PAGE_BULK_LISTS
#define kma_page_bulk_array	alloc_pages_bulk_array
/*
 * Arguments of KMA_PAGE_BULK before v6.14: gfp_t gfp, int preferred_nid,
 * nodemask_t *nodemask, int nr_pages, struct list_head *page_list,
 * struct page **page_array. Either the list or the array is NULL.
 */
#define KMA_PAGE_BULK_LIST(regs)					\
	((struct list_head *)kma_regs_argument(regs, 4))
#define KMA_PAGE_BULK_ARRAY(regs)					\
	((struct page **)kma_regs_argument(regs, 5))
#else
#define kma_page_bulk_array	alloc_pages_bulk
/*
 * Arguments of KMA_PAGE_BULK: gfp_t gfp, int preferred_nid, nodemask_t *nodemask,
 * int nr_pages, struct page **page_array.
 */
#define KMA_PAGE_BULK_LIST(regs)	((void)(regs), NULL)
#define KMA_PAGE_BULK_ARRAY(regs)					\
	((struct page **)kma_regs_argument(regs, 4))
#endif

#endif /* KMA_COMPAT_PAGES_H */

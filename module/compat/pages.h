/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pages.h - the page allocator of older kernels.
 */
#ifndef KMA_COMPAT_PAGES_H
#define KMA_COMPAT_PAGES_H

#include <linux/mm.h>

/*
 * The largest order of a block is called MAX_PAGE_ORDER since v6.8 (commit
 * 5e0a760b4441); MAX_ORDER was one more until v6.4 (commit 23baf831a32c), which
 * does no harm.
 */
#ifdef MAX_PAGE_ORDER
#define KMA_PAGE_ORDER_MAX	MAX_PAGE_ORDER
#else
#define KMA_PAGE_ORDER_MAX	MAX_ORDER
#endif

/*
 * unsigned long alloc_pages_bulk_noprof(gfp_t gfp, int preferred_nid,
 *		nodemask_t *nodemask, int nr_pages, struct page **page_array)
 *
 * There since v5.13 (commit 387ba26fb1cb), under another name before v6.10, and
 * with a list as fifth argument until v6.14: one of list and array is NULL.
 */
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
#define KMA_PAGE_BULK_LIST(regs)					\
	((struct list_head *)regs_get_kernel_argument(regs, 4))
#define KMA_PAGE_BULK_ARRAY(regs)					\
	((struct page **)regs_get_kernel_argument(regs, 5))
#else
#define KMA_PAGE_BULK_LIST(regs)	((void)(regs), NULL)
#define KMA_PAGE_BULK_ARRAY(regs)					\
	((struct page **)regs_get_kernel_argument(regs, 4))
#endif

#endif /* KMA_COMPAT_PAGES_H */

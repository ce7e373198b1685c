/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pages.h - the rules for pages: what an allocation and a free do to the books.
 *
 * A block is 2^order pages. It stands in the live map under the key of its first
 * page (key.h) and is booked to the function that called the page allocator
 * (origin.h), as an object of that size.
 *
 * Pages need not be freed as they were allocated: a block may be split and freed
 * in parts, and parts may be freed at once. So a free that does not find just its
 * block in the map
 *  - looks for a larger one that contains it. That one is cut: what is not freed
 *    goes back as smaller blocks, buddies, of the same site. Each of them is an
 *    object from then on: the site's allocations grow by their number, its bytes
 *    do not. So a site's allocations less its frees are its blocks, always.
 *  - else takes the smaller ones that it consists of.
 *  - What then is left of it is older than the account: an unknown free, booked
 *    to the function that freed it.
 *
 * Pages of slabs, of large kmallocs and of per-CPU memory are in the map, too,
 * or their frees would be unknown; but under no site: only their bytes are
 * summed, as flows of their own (account.h).
 *
 * Never done here: nothing but what account.h says. A cut makes up to 2 * order
 * changes of the map, and a free of an unknown block of many pages looks for
 * each of them, with irqs off.
 *
 * Locking:
 *  kma_pages.lock   raw spinlock, irqs off: cutting. Outside of bucket locks,
 *                   which are taken one at a time.
 *  kma_pages.seq    Two CPUs may free two parts of one block. While one of them
 *                   cuts it, it is not in the map; the other one must not take
 *                   its part for unknown. It looks again if there was a cut.
 */
#ifndef KMA_PAGES_H
#define KMA_PAGES_H

#include <linux/types.h>

#include "caller/origin.h"

#define KMA_PFN_NONE	(~0ul)

/* Instead of a site's id in the map: pages of another allocator, by owner. */
#define KMA_PAGES_OF(owner)	(0xfff0u + (owner))

/**
 * kma_pages_is_site() - does an entry of the map belong to a site?
 * @site: what the map has as its site
 *
 * Context: any.
 * Return: false for pages of an allocator whose objects are accounted.
 */
static inline bool kma_pages_is_site(u16 site)
{
	return site < KMA_PAGES_OF(KMA_OWNER_CALLER);
}

/**
 * kma_pages_alloc() - book a block
 * @pfn: its first page; KMA_PFN_NONE if the allocation failed
 * @order: of its size
 *
 * Context: a probe. NMI is counted as dropped.
 */
void kma_pages_alloc(unsigned long pfn, unsigned int order);

/**
 * kma_pages_alloc_one() - book a page whose allocation may have been seen
 * @pfn: the page
 * @origin: where it was asked for
 *
 * Nothing is done if the map knows the page.
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_pages_alloc_one(unsigned long pfn, struct kma_origin origin);

/**
 * kma_pages_free() - book a free
 * @pfn: the first page
 * @order: of the size of what is freed
 *
 * Context: a probe. NMI is counted as dropped.
 */
void kma_pages_free(unsigned long pfn, unsigned int order);

#endif /* KMA_PAGES_H */

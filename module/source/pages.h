/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pages.h - how allocations and frees of pages change the account.
 *
 * A block is 2^order pages. The live map has it under the key of its first page (key.h). It
 * is charged to the function that called the page allocator (origin.h), as one object of
 * that size.
 *
 * Pages need not be freed as they were allocated: a block may be split and freed in parts,
 * and several parts may be freed at once. If a free does not find exactly its block in the
 * map, it searches in this order:
 *  - A larger block that contains it. That block is cut: the pages that are not freed return
 *    to the map as smaller blocks, buddies, of the same site. Each of them is an object from
 *    then on. The allocations of the site grow by the number of these blocks, and its bytes
 *    do not change. So the allocations of a site less its frees always are its blocks.
 *  - The smaller blocks that it consists of.
 *  - The remaining pages are older than the account: they are an unknown free, charged to
 *    the function that freed them.
 *
 * Pages of slabs, of large kmallocs and of per-CPU memory are in the map too, because their
 * frees would be unknown otherwise. They belong to no site: only their bytes are summed, as
 * flows (account.h).
 *
 * Never done here: see account.h. A cut makes up to 2 * order changes of the map, and a free
 * of an unknown block searches for each of its pages, with interrupts off.
 *
 * Locking:
 *  kma_pages.lock   raw spinlock, interrupts off: held while a block is cut. Taken outside
 *                   of the locks of the live map, of which one at a time is taken.
 *  kma_pages.seq    Two CPUs may free two parts of one block. While one of them cuts the
 *                   block, it is not in the map, and the other CPU must not treat its part
 *                   as unknown. The other CPU searches again if seq shows a cut.
 */
#ifndef KMA_PAGES_H
#define KMA_PAGES_H

#include <linux/types.h>

#include "caller/origin.h"

#define KMA_PFN_NONE	(~0ul)

/* In the map instead of the id of a site: pages of another allocator, by owner. */
#define KMA_PAGES_OF(owner)	(0xfff0u + (owner))

/*
 * @site is that of an entry of the map. False for pages of another allocator, whose objects are
 * counted instead.
 */
static inline bool kma_pages_is_site(u16 site)
{
	return site < KMA_PAGES_OF(KMA_OWNER_CALLER);
}

/*
 * Count a block of 2^@order pages; KMA_PFN_NONE if the allocation failed. @charged is
 * KMA_GROUP_CHARGED if memcg is asked to charge the pages, else 0. Context: a probe. NMI is counted
 * as dropped.
 */
void kma_pages_alloc(unsigned long pfn, unsigned int order, unsigned int charged);

/*
 * Count a page at @origin, unless the map knows the page. The kernel allocates such pages in bulk
 * only if memcg is not to be charged. Any context. NMI is counted as dropped.
 */
void kma_pages_alloc_one(unsigned long pfn, struct kma_origin origin);

/* Context as kma_pages_alloc(). */
void kma_pages_free(unsigned long pfn, unsigned int order);

#endif /* KMA_PAGES_H */

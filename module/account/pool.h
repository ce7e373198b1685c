/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pool.h - the memory of the live map: pages, and small pieces of pages.
 *
 * An event that needs a piece must not allocate. It takes the piece from pages that the worker has
 * put aside: the reserve. A page holds pieces of one size, from its header on, and returns to the
 * reserve when its last piece is free. Sizes are whole units of KMA_POOL_UNIT bytes, and eight of
 * them lie between two powers of two, so at most an eighth of a piece is unused.
 *
 * The reserve has 64 KiB for each online CPU, 256 KiB at least, and less on a small machine. If
 * events take more than half of it before the worker has run, it doubles. It becomes smaller again
 * when it is not used.
 *
 * Pages come from all nodes that have CPUs, in turn: the worker runs on any node, and the objects
 * of a page of the map may be anywhere.
 *
 * Never done here: allocating, except in kma_pool_refill(); waiting for a grace period: the caller
 * returns what no event can have any more.
 *
 * Locking: kma_pool.lock, a raw spinlock, irqs off. Innermost.
 *
 * Contexts: any but NMI, irqs off, to take and to return a piece; else process, may sleep, one
 * caller at a time.
 */
#ifndef KMA_POOL_H
#define KMA_POOL_H

#include <linux/types.h>

#define KMA_POOL_UNIT		16u
#define KMA_POOL_LEAST		8ul	/* pages of the smallest reserve */

/*
 * @wake is called when the reserve should be refilled, in any context but NMI. kma_pool_deinit()
 * releases all pages, those in use as well.
 */
void kma_pool_init(unsigned long max_pages, void (*wake)(void));
void kma_pool_deinit(void);

/*
 * Zeroed memory, at most a page without its head of at most two units; NULL if the reserve is used
 * up.
 */
void *kma_pool_get(size_t bytes);
void *kma_pool_get_page(void);
void kma_pool_put(void *piece);
void kma_pool_put_page(void *page);

/* Returns 0; -ENOMEM; -ENOSPC if the pool has as many pages as it may have. */
int kma_pool_refill(void);

/*
 * Release pages that the reserve does not need; if @hard, all but the smallest reserve. Return:
 * pages released. kma_pool_excess() is what it would return for true, in any context.
 */
unsigned long kma_pool_release(bool hard);
unsigned long kma_pool_excess(void);

/* In pages. */
struct kma_pool_stats {
	unsigned long pages;
	unsigned long spare;	/* those in the reserve */
	unsigned long max;
};

/* Context: any. */
struct kma_pool_stats kma_pool_stats(void);

#endif /* KMA_POOL_H */

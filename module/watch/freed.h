/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * freed.h - the call sites of the latest frees, by address.
 *
 * A free adds its address and call site to the table, and an allocation removes the address.
 * So a free that finds its address in the table is a double free, or the allocation between
 * the two frees was missed.
 *
 * The table is a cache of fixed size with sets of three, one cache line each. It has the last
 * 12,288 frees at most, and of those in one set the last three. Older frees are not found; a
 * free that is found was recorded.
 *
 * Never done here: allocating after kma_freed_init().
 *
 * Locking: a word in each set, taken by exchanging it for 1, with interrupts off. No other
 * lock is taken under it. kma_freed_forget() first searches without the lock: the free that
 * an allocation must find ended before the allocator could allocate the object again.
 *
 * Contexts: process, may sleep; for single frees and for kma_freed_forget_all(), any but NMI, irqs
 * off.
 */
#ifndef KMA_FREED_H
#define KMA_FREED_H

#include <linux/types.h>

#define KMA_FREED_SETS		4096u
#define KMA_FREED_WAYS		3u

/* Reserve the table, unless it is reserved. Returns 0 or -ENOMEM. */
int kma_freed_init(void);

void kma_freed_deinit(void);

/* Remove all frees. No event is in progress. */
void kma_freed_reset(void);

/*
 * Add a free; neither argument is 0. Return: the call site of the first free, whose entry stays as
 * it is; 0 if the table did not have the address.
 */
unsigned long kma_freed_remember(const void *ptr, unsigned long call_site);

void kma_freed_forget(const void *ptr);

/* Remove all frees, while events continue. */
void kma_freed_forget_all(void);

size_t kma_freed_memory(void);

#endif /* KMA_FREED_H */

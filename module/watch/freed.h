/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * freed.h - who freed the addresses that were freed last.
 *
 * A free puts the address and its call site here, an allocation takes the
 * address out again. So a free that finds its address here is a second one, or
 * nobody saw the allocation in between.
 *
 * The table is a cache with sets of three, one line each, of a fixed size: it
 * remembers the last 12,288 frees at most, and of those that fall into one set
 * the last three. What it has forgotten is not found; it never finds what is not
 * there.
 *
 * Never done here: an allocation after kma_freed_init(), growth.
 *
 * Locking: a word in each set, taken by exchanging it for 1, with irqs off. No
 * other lock is taken under it. kma_freed_forget() looks without it first: the
 * free that an allocation must find was over before the allocator had the object
 * to give.
 */
#ifndef KMA_FREED_H
#define KMA_FREED_H

#include <linux/types.h>

#define KMA_FREED_SETS		4096u
#define KMA_FREED_WAYS		3u

/**
 * kma_freed_init() - reserve the table, unless it is reserved
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_freed_init(void);

/**
 * kma_freed_deinit() - release the table
 *
 * Context: process, may sleep.
 */
void kma_freed_deinit(void);

/**
 * kma_freed_reset() - forget all
 *
 * Context: process; no event is under way.
 */
void kma_freed_reset(void);

/**
 * kma_freed_remember() - an address is freed
 * @ptr: the address, not NULL
 * @call_site: who frees it, not 0
 *
 * If it is there already, it stays with who freed it first.
 *
 * Context: any but NMI, irqs off.
 * Return: who freed it before, or 0 if it was not there.
 */
unsigned long kma_freed_remember(const void *ptr, unsigned long call_site);

/**
 * kma_freed_forget() - an address is allocated, or its free is not to be kept
 * @ptr: the address, not NULL
 *
 * Context: any but NMI, irqs off.
 */
void kma_freed_forget(const void *ptr);

/**
 * kma_freed_forget_all() - forget all frees, while events go on
 *
 * Context: any but NMI, irqs off.
 */
void kma_freed_forget_all(void);

/**
 * kma_freed_memory() - what the table takes
 *
 * Return: bytes.
 */
size_t kma_freed_memory(void);

#endif /* KMA_FREED_H */

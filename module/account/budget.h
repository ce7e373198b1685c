/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * budget.h - how much memory kmem_account may hold.
 *
 * Each part takes bytes from the budget before it allocates memory for longer than one call of a
 * reader, and gives them back when it frees the memory. If the budget has too little left, the
 * request fails as if the kernel had no memory: a command changes nothing, the live map and the
 * classes stay as large as they are, and events that do not fit are counted. One request never
 * fails: the memory that a CPU needs to come online (kma_budget_add()).
 *
 * The caller of kma_budget_set() says how much memory is in use from the start. Memory that a
 * reader holds while it has a file open is charged to the reader's memory cgroup, not to the
 * budget.
 *
 * Never done here: allocating memory during an event.
 *
 * Locking: none; concurrent callers do not exceed the budget together.
 */
#ifndef KMA_BUDGET_H
#define KMA_BUDGET_H

#include <linux/types.h>

/**
 * struct kma_budget_stats - how the budget is used
 * @max: size of the budget in bytes; 0 if there is no limit
 * @used: bytes in use
 * @refused: number of requests that were refused
 * @wanted: bytes that would have been in use with the last request that was refused since
 *	    kma_budget_ask(); 0 if none
 */
struct kma_budget_stats {
	unsigned long max;
	unsigned long used;
	unsigned long refused;
	unsigned long wanted;
};

#define KMA_BUDGET_LEAST	(4ul << 20)	/* bytes; bounds of the default */
#define KMA_BUDGET_MOST		(2ul << 30)

/**
 * kma_budget_default() - compute the size of a budget that the user has not chosen
 * @memory: memory of the machine in bytes; with 32 bits, the low memory
 *
 * Return: a thirty-second of the memory in bytes, within the bounds above.
 */
unsigned long kma_budget_default(u64 memory);

/**
 * kma_budget_set() - set the size of the budget
 * @max: maximum in bytes, or 0 for no limit
 * @used: bytes that are in use from the start
 *
 * Context: process; before the first call of kma_budget_take().
 */
void kma_budget_set(unsigned long max, unsigned long used);

/**
 * kma_budget_take() - take bytes from the budget
 * @bytes: number of bytes; whole pages are counted
 *
 * Context: any.
 * Return: true; false with nothing taken, if the budget has less left.
 */
bool kma_budget_take(size_t bytes);

/**
 * kma_budget_add() - take bytes even if they exceed the budget
 * @bytes: number of bytes; whole pages are counted
 *
 * Used for the memory of a CPU that comes online later: without this memory the CPU would stay
 * offline.
 *
 * Context: any.
 */
void kma_budget_add(size_t bytes);

/**
 * kma_budget_give() - return bytes to the budget
 * @bytes: number of bytes, as passed to kma_budget_take() or kma_budget_add()
 *
 * Context: any.
 */
void kma_budget_give(size_t bytes);

/**
 * kma_budget_zalloc() - allocate zeroed memory by vmalloc(), within the budget
 * @bytes: number of bytes
 * @node: preferred NUMA node, or NUMA_NO_NODE
 *
 * Context: process, may sleep.
 * Return: the memory, or NULL.
 */
void *kma_budget_zalloc(size_t bytes, int node);

/**
 * kma_budget_free() - free memory from kma_budget_zalloc()
 * @memory: the memory, or NULL
 * @bytes: its size
 *
 * Context: process, may sleep.
 */
void kma_budget_free(void *memory, size_t bytes);

/*
 * Clear the last refused request, when a command or a load begins.
 * Context: process, serialised by the caller.
 */
void kma_budget_ask(void);

/* Read the figures of the budget. Context: any. Return: the current figures. */
struct kma_budget_stats kma_budget_stats(void);

#endif /* KMA_BUDGET_H */

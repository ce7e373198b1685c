/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * budget.h - how much memory the module may hold: parameter max_memory.
 *
 * Each part takes from the budget what it is about to allocate for longer than one reader's
 * call, and gives it back with the memory: tables, the live map, buffers of the log. What the
 * budget does not have is refused as if there were no memory, so that all that follows is
 * known: a command changes nothing, and the live map and the classes stay as large as they are,
 * while events that do not fit are counted. One thing is not refused: what a CPU needs that
 * comes online (kma_budget_add()).
 *
 * The code and the static data of the module are in the budget as well. What a reader holds
 * while it has a file open is charged to the reader's memory cgroup, and is not.
 *
 * Never done here: no allocation of memory during an event.
 *
 * Locking: none; callers that take at the same time do not exceed the budget together.
 */
#ifndef KMA_BUDGET_H
#define KMA_BUDGET_H

#include <linux/types.h>

/**
 * struct kma_budget_stats - how the budget is used
 * @max: bytes; 0 if there is no limit
 * @used: bytes
 * @refused: how often it did not have what was asked for
 * @wanted: bytes that would have been in use with the last request that was refused since
 *	    kma_budget_ask(); 0 if none
 */
struct kma_budget_stats {
	unsigned long max;
	unsigned long used;
	unsigned long refused;
	unsigned long wanted;
};

/**
 * kma_budget_set() - set the size of the budget
 * @max: maximum in bytes, or 0 for no limit
 * @used: bytes that are in use from the start
 *
 * Context: process; before the first part takes.
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
 * Used for the memory of a CPU that comes online while the module is loaded: without this
 * memory the CPU would stay offline.
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

/**
 * kma_budget_ask() - clear the last refused request, when a command or a load begins
 *
 * Context: process, serialised by the caller.
 */
void kma_budget_ask(void);

/**
 * kma_budget_stats() - read the figures of the budget
 *
 * Context: any.
 * Return: the current figures.
 */
struct kma_budget_stats kma_budget_stats(void);

#endif /* KMA_BUDGET_H */

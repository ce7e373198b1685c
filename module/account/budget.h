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
 * Locking: none; two that take at once do not get more than there is.
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
 * kma_budget_set() - how much there is
 * @max: bytes, or 0 for no limit
 * @used: what is taken to begin with
 *
 * Context: process; before the first part takes.
 */
void kma_budget_set(unsigned long max, unsigned long used);

/**
 * kma_budget_take() - take from the budget
 * @bytes: how much; whole pages are counted
 *
 * Context: any.
 * Return: false if it has no more; nothing is taken then.
 */
bool kma_budget_take(size_t bytes);

/**
 * kma_budget_add() - take what must not be refused, also beyond the budget
 * @bytes: how much; whole pages are counted
 *
 * For what a CPU needs that comes online while the module is loaded: it would stay offline.
 *
 * Context: any.
 */
void kma_budget_add(size_t bytes);

/**
 * kma_budget_give() - give back what was taken
 * @bytes: as it was taken
 *
 * Context: any.
 */
void kma_budget_give(size_t bytes);

/**
 * kma_budget_zalloc() - zeroed memory of vmalloc(), within the budget
 * @bytes: how much
 * @node: NUMA node that it should be of, or NUMA_NO_NODE
 *
 * Context: process, may sleep.
 * Return: the memory, or NULL.
 */
void *kma_budget_zalloc(size_t bytes, int node);

/**
 * kma_budget_free() - free what kma_budget_zalloc() gave
 * @memory: the memory, or NULL
 * @bytes: its size
 *
 * Context: process, may sleep.
 */
void kma_budget_free(void *memory, size_t bytes);

/**
 * kma_budget_ask() - a command or a load begins: forget what was refused before
 *
 * Context: process, serialised by the caller.
 */
void kma_budget_ask(void);

/**
 * kma_budget_stats() - how the budget is used
 *
 * Context: any.
 * Return: the figures of now.
 */
struct kma_budget_stats kma_budget_stats(void);

#endif /* KMA_BUDGET_H */

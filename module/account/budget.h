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
 *
 * Contexts: any, unless stated.
 */
#ifndef KMA_BUDGET_H
#define KMA_BUDGET_H

#include <linux/types.h>

/* In bytes. */
struct kma_budget_stats {
	unsigned long max;	/* 0 if there is no limit */
	unsigned long used;
	unsigned long refused;	/* requests */
	unsigned long wanted;	/* with the last refused request since kma_budget_ask(); or 0 */
};

#define KMA_BUDGET_LEAST	(4ul << 20)	/* bytes; bounds of the default */
#define KMA_BUDGET_MOST		(2ul << 30)

/*
 * The budget that the user has not chosen: a thirty-second of the machine's memory (with 32 bits,
 * of the low memory), within the bounds above.
 */
unsigned long kma_budget_default(u64 memory);

/*
 * Context: process, before the first kma_budget_take(). @used bytes are in use from the start; @max
 * is 0 for no limit.
 */
void kma_budget_set(unsigned long max, unsigned long used);

/*
 * Whole pages are counted. False with nothing taken, if the budget has less left. Only what a CPU
 * that comes online needs is added even if it exceeds the budget: without it the CPU would stay
 * offline.
 */
bool kma_budget_take(size_t bytes);
void kma_budget_add(size_t bytes);
void kma_budget_give(size_t bytes);

/* Zeroed memory by vmalloc(), within the budget; NULL. Context: process, may sleep. */
void *kma_budget_zalloc(size_t bytes, int node);
void kma_budget_free(void *memory, size_t bytes);

/*
 * Clear the last refused request, when a command or a load begins. Context: process, serialised by
 * the caller.
 */
void kma_budget_ask(void);

struct kma_budget_stats kma_budget_stats(void);

#endif /* KMA_BUDGET_H */

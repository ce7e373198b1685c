// SPDX-License-Identifier: GPL-2.0-only
/*
 * budget.c - how much memory kmem_account may hold.
 *
 * The design is in budget.h.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "account/budget.h"

static unsigned long kma_budget_max;
static atomic_long_t kma_budget_used;
static atomic_long_t kma_budget_refused;
static unsigned long kma_budget_wanted;

__cold unsigned long kma_budget_default(u64 memory)
{
	return clamp_t(u64, memory / 32, KMA_BUDGET_LEAST, KMA_BUDGET_MOST);
}

__cold void kma_budget_set(unsigned long max, unsigned long used)
{
	kma_budget_max = max;
	atomic_long_set(&kma_budget_used, PAGE_ALIGN(used));
	atomic_long_set(&kma_budget_refused, 0);
	kma_budget_wanted = 0;
}

__cold bool kma_budget_take(size_t bytes)
{
	long pages = PAGE_ALIGN(bytes);
	unsigned long used = atomic_long_add_return(pages, &kma_budget_used);

	if (used <= kma_budget_max || !kma_budget_max)
		return true;
	atomic_long_sub(pages, &kma_budget_used);
	atomic_long_add(1, &kma_budget_refused);
	WRITE_ONCE(kma_budget_wanted, used);
	return false;
}

__cold void kma_budget_add(size_t bytes)
{
	atomic_long_add(PAGE_ALIGN(bytes), &kma_budget_used);
}

__cold void kma_budget_give(size_t bytes)
{
	atomic_long_sub(PAGE_ALIGN(bytes), &kma_budget_used);
}

__cold void *kma_budget_zalloc(size_t bytes, int node)
{
	void *memory;

	if (!kma_budget_take(bytes))
		return NULL;
	memory = vzalloc_node(bytes, node);
	if (!memory)
		kma_budget_give(bytes);
	return memory;
}

__cold void kma_budget_free(void *memory, size_t bytes)
{
	if (!memory)
		return;
	vfree(memory);
	kma_budget_give(bytes);
}

__cold void kma_budget_ask(void)
{
	WRITE_ONCE(kma_budget_wanted, 0);
}

__cold struct kma_budget_stats kma_budget_stats(void)
{
	return (struct kma_budget_stats){
		.max = kma_budget_max,
		.used = atomic_long_read(&kma_budget_used),
		.refused = atomic_long_read(&kma_budget_refused),
		.wanted = READ_ONCE(kma_budget_wanted),
	};
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * freed.c - the call sites of the latest frees, by address.
 *
 * The design and the locking are in freed.h.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/numa.h>
#include <linux/processor.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "watch/freed.h"

struct kma_freed_set {
	u32 lock;
	u32 next;	/* the way that is used next if none is free */
	struct {
		const void *ptr;
		unsigned long call_site;
	} way[KMA_FREED_WAYS];
} __aligned(64);

static struct kma_freed_set *kma_freed;

int kma_freed_init(void)
{
	if (!kma_freed)
		kma_freed = kma_budget_zalloc(array_size(KMA_FREED_SETS, sizeof(*kma_freed)),
					      NUMA_NO_NODE);
	return kma_freed ? 0 : -ENOMEM;
}

void kma_freed_deinit(void)
{
	kma_budget_free(kma_freed, array_size(KMA_FREED_SETS, sizeof(*kma_freed)));
	kma_freed = NULL;
}

void kma_freed_reset(void)
{
	if (kma_freed)
		memset(kma_freed, 0, kma_freed_memory());
}

static struct kma_freed_set *kma_freed_set(const void *ptr)
{
	return &kma_freed[hash_long((unsigned long)ptr >> 3, 32) % KMA_FREED_SETS];
}

static void kma_freed_lock(struct kma_freed_set *set)
{
	/* Pairs with the smp_store_release() in kma_freed_unlock(). */
	while (xchg_acquire(&set->lock, 1))
		cpu_relax();
}

static void kma_freed_unlock(struct kma_freed_set *set)
{
	/* Pairs with the xchg_acquire() in kma_freed_lock(). */
	smp_store_release(&set->lock, 0);
}

/* Index of the way that has @ptr, or KMA_FREED_WAYS. */
static u32 kma_freed_find(const struct kma_freed_set *set, const void *ptr)
{
	u32 i;

	for (i = 0; i < KMA_FREED_WAYS; i++)
		if (READ_ONCE(set->way[i].ptr) == ptr)
			break;
	return i;
}

unsigned long kma_freed_remember(const void *ptr, unsigned long call_site)
{
	struct kma_freed_set *set = kma_freed_set(ptr);
	unsigned long before = 0;
	u32 i;

	kma_freed_lock(set);
	i = kma_freed_find(set, ptr);
	if (i < KMA_FREED_WAYS) {
		before = set->way[i].call_site;
		goto unlock;
	}
	i = kma_freed_find(set, NULL);
	if (i == KMA_FREED_WAYS) {
		i = set->next;
		set->next = (i + 1) % KMA_FREED_WAYS;
	}
	set->way[i].call_site = call_site;
	WRITE_ONCE(set->way[i].ptr, ptr);
unlock:
	kma_freed_unlock(set);
	return before;
}

void kma_freed_forget(const void *ptr)
{
	struct kma_freed_set *set = kma_freed_set(ptr);
	u32 i;

	if (kma_freed_find(set, ptr) == KMA_FREED_WAYS)
		return;
	kma_freed_lock(set);
	i = kma_freed_find(set, ptr);
	if (i < KMA_FREED_WAYS)
		WRITE_ONCE(set->way[i].ptr, NULL);
	kma_freed_unlock(set);
}

void kma_freed_forget_all(void)
{
	struct kma_freed_set *set;
	u32 i;

	for (set = kma_freed; set < kma_freed + KMA_FREED_SETS; set++) {
		kma_freed_lock(set);
		for (i = 0; i < KMA_FREED_WAYS; i++)
			WRITE_ONCE(set->way[i].ptr, NULL);
		kma_freed_unlock(set);
	}
}

size_t kma_freed_memory(void)
{
	return kma_freed ? array_size(KMA_FREED_SETS, sizeof(*kma_freed)) : 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * area.c - an array, contiguous for the CPU, that grows while it is in use.
 */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "account/area.h"
#include "account/budget.h"
#include "compat/stub.h"

/* If the kernel refuses memory, the caller handles that: no warning, no OOM killer. */
#define KMA_AREA_GFP	(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY)

#define KMA_AREA_LIST_MIN	(PAGE_SIZE / sizeof(struct page *))

/* A mapping that users may still use, and the pages that only this mapping has; linked by age. */
struct kma_area_old {
	struct kma_area_old *next;
	u64 ticket;
	void *mapping;
	unsigned long mapped;	/* pages */
	struct page *pages;	/* linked by page_private() */
	unsigned long nr;
};

/*
 * Pages in old mappings beyond which an area does not grow before a grace period has ended: each
 * step maps all of the area again, and on 32 bits the kernel has 120 MiB for mappings. On 64 bits
 * the bound is for page tables, which are not in the budget: 4 MiB.
 */
#define KMA_AREA_OLD_MAX	(BITS_PER_LONG == 32 ? 4096ul : 1ul << 19)

static struct {
	unsigned long mapped;	/* pages in old mappings */
	u64 last;		/* ticket */
	u64 passed;		/* the last ticket whose grace period has ended */
	struct kma_area_old *first;
	struct kma_area_old *newest;	/* valid if @first is not NULL */
} kma_area_tickets;

u64 kma_area_publish(void)
{
	return ++kma_area_tickets.last;
}

u64 kma_area_last(void)
{
	return kma_area_tickets.last;
}

bool kma_area_passed(u64 ticket)
{
	return ticket <= kma_area_tickets.passed;
}

static void kma_area_free_old(struct kma_area_old *old)
{
	struct page *page;

	vunmap(old->mapping);
	while ((page = old->pages)) {
		old->pages = (struct page *)page_private(page);
		set_page_private(page, 0);
		__free_page(page);
		cond_resched();
	}
	kma_budget_give(old->nr << PAGE_SHIFT);
	kma_area_tickets.mapped -= old->mapped;
	kfree(old);
}

void kma_area_settle(u64 ticket)
{
	struct kma_area_old *old;

	kma_area_tickets.passed = max(kma_area_tickets.passed, ticket);
	while ((old = kma_area_tickets.first) && kma_area_passed(old->ticket)) {
		kma_area_tickets.first = old->next;
		kma_area_free_old(old);
	}
}

void kma_area_drain(void)
{
	if (kma_area_passed(kma_area_last()))
		return;
	synchronize_rcu_expedited();
	kma_area_settle(kma_area_last());
}

static size_t kma_area_list_bytes(const struct kma_area *area)
{
	return area->listed * sizeof(*area->pages);
}

static bool kma_area_take(const struct kma_area *area, size_t bytes)
{
	if (!area->must)
		return kma_budget_take(bytes);
	kma_budget_add(bytes);
	return true;
}

/* Replace the list of pages by one with space for @pages pages. */
static int kma_area_list(struct kma_area *area, unsigned long pages)
{
	struct kma_area new = *area;

	new.listed = min(max(roundup_pow_of_two(pages), KMA_AREA_LIST_MIN), area->max);
	if (new.listed == area->listed)
		return 0;
	if (!kma_area_take(area, kma_area_list_bytes(&new)))
		return -ENOMEM;
	new.pages = vzalloc(kma_area_list_bytes(&new));
	if (!new.pages) {
		kma_budget_give(kma_area_list_bytes(&new));
		return -ENOMEM;
	}
	if (area->nr)
		memcpy(new.pages, area->pages, area->nr * sizeof(*area->pages));
	kma_budget_free(area->pages, kma_area_list_bytes(area));
	*area = new;
	return 0;
}

int kma_area_init(struct kma_area *area, size_t max_bytes)
{
	*area = (struct kma_area){
		.max = DIV_ROUND_UP(max_bytes, PAGE_SIZE),
		.front = area->front, .fronts = area->fronts, .must = area->must,
		.local = area->local, .node = area->node,
	};
	return kma_area_list(area, 1);
}

/* Check if page @page repeats a page of the front. */
static bool kma_area_again(const struct kma_area *area, unsigned long page)
{
	return page >= area->fronts && page < area->front;
}

/* Return the memory that the first @nr pages take; @nr is 0, or includes the whole front. */
static size_t kma_area_bytes(const struct kma_area *area, unsigned long nr)
{
	return (nr ? nr - area->front + area->fronts : 0) << PAGE_SHIFT;
}

static void kma_area_free_pages(struct kma_area *area, unsigned long from, unsigned long to)
{
	while (to-- > from) {
		if (!kma_area_again(area, to))
			__free_page(area->pages[to]);
		cond_resched();
	}
}

void kma_area_deinit(struct kma_area *area)
{
	if (area->mapping)
		kma_area_drain();
	vunmap(area->mapping);
	kma_area_free_pages(area, 0, area->nr);
	kma_budget_give(kma_area_bytes(area, area->nr));
	kma_budget_free(area->pages, kma_area_list_bytes(area));
	*area = (struct kma_area){};
}

/* The pages from @to to @from, if any, leave the area with the mapping @old. */
static void kma_area_retire(struct kma_area *area, struct kma_area_old *old, unsigned long to,
			    unsigned long from)
{
	for (; to < from; to++) {
		set_page_private(area->pages[to], (unsigned long)old->pages);
		old->pages = area->pages[to];
		old->nr++;
	}
	old->mapped = area->nr;
	kma_area_tickets.mapped += old->mapped;
	old->ticket = kma_area_publish();
	if (kma_area_tickets.first)
		kma_area_tickets.newest->next = old;
	else
		kma_area_tickets.first = old;
	kma_area_tickets.newest = old;
}

/*
 * Map the first @to pages at a new address, and publish the new base. The pages after them are
 * released later. The first mapping of an area does not change what the areas share.
 */
static int kma_area_map(struct kma_area *area, unsigned long to, void **publish)
{
	struct kma_area_old *old = kzalloc(sizeof(*old), KMA_AREA_GFP);
	void *new = old ? vmap(area->pages, to, VM_MAP, PAGE_KERNEL) : NULL;

	if (!new) {
		kfree(old);
		return -ENOMEM;
	}
	old->mapping = area->mapping;
	area->mapping = new;
	/* Publishes zeroed pages; pairs with the address dependency of the readers of the base. */
	smp_store_release(publish, new + (area->front << PAGE_SHIFT));
	if (old->mapping)
		kma_area_retire(area, old, to, area->nr);
	else
		kfree(old);
	area->nr = to;
	return 0;
}

/*
 * Allocate the next page. The worker runs on any node, so the node of the caller means nothing.
 * If a node has no memory left, the page comes from another one.
 */
static struct page *kma_area_page(struct kma_area *area)
{
	if (!area->local)
		area->node = next_node_in(area->node, node_states[N_CPU]);
	return alloc_pages_node(area->node, KMA_AREA_GFP | __GFP_ZERO, 0);
}

int kma_area_grow(struct kma_area *area, size_t bytes, void **publish)
{
	unsigned long to = min(area->nr + DIV_ROUND_UP(bytes, PAGE_SIZE), area->max), nr;
	size_t more = kma_area_bytes(area, to) - kma_area_bytes(area, area->nr);

	KMA_STUB(kma_area_grow, area, bytes, publish);
	if (to == area->nr)
		return -ENOSPC;
	if (area->mapping && kma_area_tickets.mapped > KMA_AREA_OLD_MAX)
		return -EAGAIN;
	if (to > area->listed && kma_area_list(area, to))
		return -ENOMEM;
	if (!kma_area_take(area, more))
		return -ENOMEM;
	for (nr = area->nr; nr < to; nr++) {
		area->pages[nr] = kma_area_again(area, nr) ? area->pages[nr - area->fronts] :
				  kma_area_page(area);
		if (!area->pages[nr])
			goto err_pages;
		cond_resched();
	}
	if (kma_area_map(area, to, publish))
		goto err_pages;
	return 0;

err_pages:
	kma_area_free_pages(area, area->nr, nr);
	kma_budget_give(more);
	return -ENOMEM;
}

size_t kma_area_memory(const struct kma_area *area)
{
	return kma_area_bytes(area, area->nr) + kma_area_list_bytes(area);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pool.c - the memory of the live map: pages, and small pieces of pages.
 *
 * The design is in pool.h.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "account/budget.h"
#include "account/lock.h"
#include "account/pool.h"
#include "compat/stub.h"

/* If the kernel refuses memory, the caller handles that: no warning, no OOM killer. */
#define KMA_POOL_GFP		(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY | __GFP_ZERO)

#define KMA_POOL_CPU_PAGES	max(SZ_64K / PAGE_SIZE, 1ul)
#define KMA_POOL_FEW		max(SZ_256K / PAGE_SIZE, KMA_POOL_LEAST)
/* The first reserve: at boot thousands of objects come before the worker can run. */
#ifdef KMA_BOOT
#define KMA_POOL_FIRST		256ul
#else
#define KMA_POOL_FIRST		0ul
#endif
#define KMA_POOL_SHARE		4096	/* pages of memory for each page of the reserve, at least */
#define KMA_POOL_SHARE_MAX	8	/* the reserve is at most this part of the pool */
#define KMA_POOL_SIZES		96	/* enough for pages of 64 KiB */

/* The head of a page with pieces; @next and @prev link the pages of a size with free pieces. */
struct kma_pool_page {
	struct kma_pool_page *next;
	struct kma_pool_page *prev;
	u16 size;		/* index of the size */
	u16 used;		/* pieces in use */
	u16 free;		/* unit of the first free piece, which has the next; 0: none */
	u16 fresh;		/* unit of the first piece that was never used */
};

#define KMA_POOL_HEAD		((u16)DIV_ROUND_UP(sizeof(struct kma_pool_page), KMA_POOL_UNIT))
#define KMA_POOL_UNITS		((u32)(PAGE_SIZE / KMA_POOL_UNIT))

static struct {
	raw_spinlock_t lock;
	struct kma_pool_page *partial[KMA_POOL_SIZES];
	struct kma_pool_page *spare;	/* the reserve, linked by next */
	unsigned long spares;
	unsigned long pages;
	unsigned long max;
	unsigned long goal;		/* pages that the reserve should have */
	unsigned long least;		/* minimum of @goal */
	unsigned long low;		/* smallest number of spares since the last release */
	int node;
	void (*wake)(void);
} kma_pool = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_pool.lock),
};

/* Return the index of the size of @units; sizes are 1 to 16, 18 to 32 by 2, 36 to 64 by 4, ... */
static u32 kma_pool_size(u32 units)
{
	u32 shift = units <= 16 ? 0 : fls(units - 1) - 4;

	return shift * 8 + DIV_ROUND_UP(units, 1u << shift);
}

static u32 kma_pool_units(u32 size)
{
	u32 shift = size <= 16 ? 0 : (size - 9) / 8;

	/* the largest piece fills a page */
	return min((size - shift * 8) << shift, KMA_POOL_UNITS - KMA_POOL_HEAD);
}

static void kma_pool_link(struct kma_pool_page *p)
{
	struct kma_pool_page **first = &kma_pool.partial[p->size];

	p->prev = NULL;
	p->next = *first;
	if (p->next)
		p->next->prev = p;
	*first = p;
}

static void kma_pool_unlink(struct kma_pool_page *p)
{
	if (p->next)
		p->next->prev = p->prev;
	if (p->prev)
		p->prev->next = p->next;
	else
		kma_pool.partial[p->size] = p->next;
}

/* With the lock held: take a page from the reserve. */
static struct kma_pool_page *kma_pool_pop(void)
{
	struct kma_pool_page *p = kma_pool.spare;

	if (!p)
		return NULL;
	kma_pool.spare = p->next;
	WRITE_ONCE(kma_pool.spares, kma_pool.spares - 1);
	kma_pool.low = min(kma_pool.low, kma_pool.spares);
	return p;
}

static void kma_pool_push(struct kma_pool_page *p)
{
	p->next = kma_pool.spare;
	kma_pool.spare = p;
	WRITE_ONCE(kma_pool.spares, kma_pool.spares + 1);
}

static bool kma_pool_wants(void)
{
	return kma_pool.spares < READ_ONCE(kma_pool.goal) / 2 && kma_pool.pages < kma_pool.max;
}

/* Check if a page has space for one more piece. */
static bool kma_pool_has(const struct kma_pool_page *p)
{
	return p->free || p->fresh + kma_pool_units(p->size) <= KMA_POOL_UNITS;
}

/* With the lock held: get a page with a free piece. */
static struct kma_pool_page *kma_pool_page_for(u32 size)
{
	struct kma_pool_page *p = kma_pool.partial[size];

	if (p)
		return p;
	p = kma_pool_pop();
	if (!p)
		return NULL;
	*p = (struct kma_pool_page){ .size = size, .fresh = KMA_POOL_HEAD };
	kma_pool_link(p);
	return p;
}

static void *kma_pool_carve(struct kma_pool_page *p)
{
	u32 unit = p->free;

	if (unit) {
		p->free = *(u16 *)((char *)p + unit * KMA_POOL_UNIT);
	} else {
		unit = p->fresh;
		p->fresh += kma_pool_units(p->size);
	}
	p->used++;
	if (!kma_pool_has(p))
		kma_pool_unlink(p);
	return (char *)p + unit * KMA_POOL_UNIT;
}

void *kma_pool_get(size_t bytes)
{
	u32 size = kma_pool_size(DIV_ROUND_UP(bytes, KMA_POOL_UNIT));
	struct kma_pool_page *p;
	void *piece = NULL;
	bool wake;

	kma_lock(&kma_pool.lock);
	p = kma_pool_page_for(size);
	if (p)
		piece = kma_pool_carve(p);
	wake = kma_pool_wants();
	kma_unlock(&kma_pool.lock);
	if (wake)
		kma_pool.wake();
	return piece ? memset(piece, 0, bytes) : NULL;
}

void kma_pool_put(void *piece)
{
	struct kma_pool_page *p = (void *)((unsigned long)piece & -PAGE_SIZE);
	u32 unit = ((unsigned long)piece & (PAGE_SIZE - 1)) / KMA_POOL_UNIT;
	unsigned long flags;
	bool had;

	kma_lock_irqsave(&kma_pool.lock, flags);
	had = kma_pool_has(p);
	*(u16 *)piece = p->free;
	p->free = unit;
	if (!had)
		kma_pool_link(p);
	if (!--p->used) {
		kma_pool_unlink(p);
		kma_pool_push(p);
	}
	kma_unlock_irqrestore(&kma_pool.lock, flags);
}

void *kma_pool_get_page(void)
{
	void *page;
	bool wake;

	kma_lock(&kma_pool.lock);
	page = kma_pool_pop();
	wake = kma_pool_wants();
	kma_unlock(&kma_pool.lock);
	if (wake)
		kma_pool.wake();
	return page ? memset(page, 0, PAGE_SIZE) : NULL;
}

void kma_pool_put_page(void *page)
{
	unsigned long flags;

	kma_lock_irqsave(&kma_pool.lock, flags);
	kma_pool_push(page);
	kma_unlock_irqrestore(&kma_pool.lock, flags);
}

__cold void kma_pool_init(unsigned long max_pages, void (*wake)(void))
{
	/* the first kma_pool_refill() sets the rest */
	kma_pool.goal = KMA_POOL_FIRST;
	kma_pool.max = max(max_pages, 2 * KMA_POOL_LEAST);
	kma_pool.low = 0;
	kma_pool.wake = wake;
}

static __cold void kma_pool_free_page(struct kma_pool_page *p)
{
	free_page((unsigned long)p);
	kma_budget_give(PAGE_SIZE);
}

/* Take a page from the reserve, unless only @keep are left. */
static __cold struct kma_pool_page *kma_pool_surplus(unsigned long keep)
{
	struct kma_pool_page *p = NULL;
	unsigned long flags;

	kma_lock_irqsave(&kma_pool.lock, flags);
	if (kma_pool.spares > keep) {
		p = kma_pool_pop();
		WRITE_ONCE(kma_pool.pages, kma_pool.pages - 1);
	}
	kma_unlock_irqrestore(&kma_pool.lock, flags);
	return p;
}

static __cold unsigned long kma_pool_cut(unsigned long keep)
{
	struct kma_pool_page *p;
	unsigned long n;

	for (n = 0; (p = kma_pool_surplus(keep)); n++) {
		kma_pool_free_page(p);
		cond_resched();
	}
	return n;
}

__cold void kma_pool_deinit(void)
{
	kma_pool_cut(0);
}

/* Add a page to the reserve. */
static __cold int kma_pool_add(void)
{
	unsigned long flags;
	struct page *page;

	if (!kma_budget_take(PAGE_SIZE))
		return -ENOMEM;
	kma_pool.node = next_node_in(kma_pool.node, node_states[N_CPU]);
	page = alloc_pages_node(kma_pool.node, KMA_POOL_GFP, 0);
	if (!page) {
		kma_budget_give(PAGE_SIZE);
		return -ENOMEM;
	}
	kma_lock_irqsave(&kma_pool.lock, flags);
	kma_pool_push(page_address(page));
	WRITE_ONCE(kma_pool.pages, kma_pool.pages + 1);
	kma_unlock_irqrestore(&kma_pool.lock, flags);
	return 0;
}

__cold int kma_pool_refill(void)
{
	unsigned long all = max(num_online_cpus() * KMA_POOL_CPU_PAGES, KMA_POOL_FEW), most;
	int err = 0;

	KMA_STUB(kma_pool_refill);
	/* anew: one CPU is online at boot; a machine with less than 1 GiB has slower CPUs */
	WRITE_ONCE(kma_pool.least, clamp(min(all, totalram_pages() / KMA_POOL_SHARE),
					 KMA_POOL_LEAST, KMA_POOL_LEAST * 64));
	if (kma_pool.goal < kma_pool.least)
		WRITE_ONCE(kma_pool.goal, kma_pool.least);
	most = max(kma_pool.max / KMA_POOL_SHARE_MAX, kma_pool.least);
	/* events were faster than the worker */
	if (kma_pool.pages && READ_ONCE(kma_pool.spares) < kma_pool.goal / 4)
		WRITE_ONCE(kma_pool.goal, min(2 * kma_pool.goal, most));
	while (!err && READ_ONCE(kma_pool.spares) < kma_pool.goal) {
		err = kma_pool.pages < kma_pool.max ? kma_pool_add() : -ENOSPC;
		cond_resched();
	}
	return err;
}

/* What was in the reserve all the time since the last call is not needed. */
__cold unsigned long kma_pool_release(bool hard)
{
	unsigned long low, spares, flags, keep;

	kma_lock_irqsave(&kma_pool.lock, flags);
	spares = kma_pool.spares;
	low = min(kma_pool.low, spares);
	kma_pool.low = spares;
	if (hard)
		WRITE_ONCE(kma_pool.goal, kma_pool.least);
	else if (low > kma_pool.goal / 2)
		WRITE_ONCE(kma_pool.goal, max(kma_pool.goal / 2, kma_pool.least));
	/* what was used a moment ago may be used again, but not all that a large map had */
	keep = hard ? kma_pool.goal : clamp(spares - low, kma_pool.goal, 2 * kma_pool.goal);
	kma_unlock_irqrestore(&kma_pool.lock, flags);
	return kma_pool_cut(keep);
}

unsigned long kma_pool_excess(void)
{
	unsigned long spares = READ_ONCE(kma_pool.spares);

	return spares - min(spares, READ_ONCE(kma_pool.least));
}

struct kma_pool_stats kma_pool_stats(void)
{
	return (struct kma_pool_stats){
		.pages = READ_ONCE(kma_pool.pages),
		.spare = READ_ONCE(kma_pool.spares),
		.max = kma_pool.max,
	};
}

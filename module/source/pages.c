// SPDX-License-Identifier: GPL-2.0-only
/*
 * pages.c - how allocations and frees of pages change the account.
 *
 * The design is in pages.h.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>

#include "account/account.h"
#include "account/class.h"
#include "account/group.h"
#include "account/key.h"
#include "account/live.h"
#include "account/lock.h"
#include "account/site.h"
#include "account/size.h"
#include "compat/pages.h"
#include "log/relay_event.h"
#include "source/pages.h"
#include "watch/lifetime.h"

static struct {
	raw_spinlock_t lock;
	seqcount_raw_spinlock_t seq;
} kma_pages = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_pages.lock),
	.seq = SEQCNT_RAW_SPINLOCK_ZERO(kma_pages.seq, &kma_pages.lock),
};

static const enum kma_flow kma_owner_flows[KMA_NR_OWNERS] = {
	[KMA_OWNER_CALLER] = KMA_FLOW_PAGE,
	[KMA_OWNER_SLAB] = KMA_FLOW_SLAB_PAGE,
	[KMA_OWNER_PERCPU] = KMA_FLOW_PERCPU_PAGE,
};

static enum kma_flow kma_pages_flow(u16 site)
{
	if (kma_pages_is_site(site))
		return KMA_FLOW_PAGE;
	return kma_owner_flows[site - KMA_PAGES_OF(KMA_OWNER_CALLER)];
}

/* struct kma_size can hold every order exactly. */
static struct kma_size kma_block_size(unsigned int order)
{
	struct kma_size size;

	kma_size_pack(&size, PAGE_SIZE << order, PAGE_SIZE << order);
	return size;
}

/* Return the group of a block; pages without a site are in no group and in no table. */
static unsigned int kma_block_group(u16 site, unsigned long pfn, unsigned int charged)
{
	return kma_pages_is_site(site) ? kma_group_of(kma_direct_page(pfn), charged) :
					 KMA_GROUP_NONE;
}

/* Return the class of blocks: one for each site, group and order. */
static unsigned int kma_block_class(u16 site, unsigned int group, unsigned int order)
{
	return kma_class_of(site, group, kma_block_size(order));
}

static unsigned int kma_block_order(const struct kma_live_object *block)
{
	return ilog2(kma_size_bytes(block->size)) - PAGE_SHIFT;
}

/* Describe a block that is about to be counted. Return false if no number is left for its class. */
static bool kma_block_new(struct kma_live_object *block, u16 site, unsigned int group,
			  unsigned int order, struct kma_birth birth)
{
	*block = (struct kma_live_object){
		.class = kma_block_class(site, group, order), .site = site, .group = group,
		.size = kma_block_size(order), .birth = birth,
	};
	if (likely(block->class != KMA_CLASS_NONE))
		return true;
	kma_account_drop(KMA_DROP_CLASS);
	return false;
}

/* Count a block that is about to be added to the map (1), or undo that (-1). */
static void kma_block_count(const struct kma_live_object *block, int n)
{
	kma_account_in(kma_pages_flow(block->site), n * (long)kma_size_bytes(block->size));
	kma_class_count_objects(block->class, block->size, n);
}

/* A block was removed from the map, or did not fit into it. */
static void kma_block_gone(const struct kma_live_object *block)
{
	kma_class_credit(block->class, block->size);
	kma_account_out(kma_pages_flow(block->site), kma_size_bytes(block->size));
}

/* A block was removed from the map by a free, so its lifetime is known. */
static void kma_block_freed(const struct kma_live_object *block)
{
	if (READ_ONCE(kma_births_on) && kma_pages_is_site(block->site))
		kma_age_end(block->site, &block->birth);
	kma_block_gone(block);
}

/*
 * Put a block into the map, also if the account has ended since the event began. Return false if
 * the map has no place for it.
 */
static bool kma_block_put(const struct kma_live_object *block, unsigned long pfn)
{
	const void *key = (void *)kma_key_page(pfn);
	struct kma_live_object gone;
	enum kma_live_found found;

	found = kma_live_put(key, block->class, block->size, &block->birth, &gone);
	if (found == KMA_LIVE_OLD) {
		/* the old block was freed without an event */
		kma_block_gone(&gone);
		kma_account_implied();
	}
	return found == KMA_LIVE_NONE || found == KMA_LIVE_OLD;
}

static bool kma_block_look(unsigned long pfn, struct kma_live_object *block)
{
	return kma_live_look((void *)kma_key_page(pfn), block);
}

/*
 * Take the block that begins at @pfn if it has an order of @min to @max. Nobody else takes it
 * between the look and that: its pages are being freed by this event, or a larger block is cut,
 * with the lock.
 */
static bool kma_block_take(unsigned long pfn, unsigned int min, unsigned int max,
			   struct kma_live_object *block)
{
	unsigned int order;

	order = kma_block_look(pfn, block) ? kma_block_order(block) : max + 1;
	return order >= min && order <= max &&
	       kma_live_take((void *)kma_key_page(pfn), block);
}

/* Pass an event to the event log, if it is on. */
static void kma_block_log(struct kma_origin origin, unsigned long pfn,
			  unsigned int order, bool quiet)
{
	static const enum kma_log_kind kinds[KMA_NR_OWNERS] = {
		[KMA_OWNER_CALLER] = KMA_LOG_PAGE,
		[KMA_OWNER_SLAB] = KMA_LOG_SLAB_PAGE,
		[KMA_OWNER_PERCPU] = KMA_LOG_PERCPU_PAGE,
	};

	if (kma_relay_wanted())
		kma_relay_pages(pfn, order, origin.call_site, kinds[origin.owner], quiet);
}

static void kma_block_alloc(struct kma_origin origin, unsigned long pfn,
			    unsigned int order, unsigned int charged)
{
	u16 site = KMA_PAGES_OF(origin.owner);
	struct kma_live_object block;

	if (origin.owner == KMA_OWNER_CALLER)
		site = kma_site_id(origin.call_site, KMA_KIND_PAGE);
	if (pfn == KMA_PFN_NONE) {
		if (kma_pages_is_site(site))
			kma_class_change(kma_class_rare(site), KMA_CLASS_WORD(out), 1);
		return;
	}
	if (unlikely(!kma_block_new(&block, site, kma_block_group(site, pfn, charged), order,
				    kma_birth_now(KMA_KIND_PAGE))))
		return;
	kma_block_count(&block, 1);
	if (!kma_block_put(&block, pfn)) {
		kma_block_count(&block, -1);
		kma_account_drop(KMA_DROP_FULL);
	}
}

/* Find the block in the map that contains the 2^order pages at @pfn; set @base to its start. */
static bool kma_block_find(unsigned long pfn, unsigned int order, unsigned long *base)
{
	unsigned int o;

	for (o = order; o <= KMA_PAGE_ORDER_MAX; o++) {
		struct kma_live_object block;

		*base = pfn & -(1ul << o);
		/* the candidate of the previous order had the same start */
		if (o > order && *base == (pfn & -(1ul << (o - 1))))
			continue;
		if (kma_block_look(*base, &block) &&
		    *base + (1ul << kma_block_order(&block)) >= pfn + (1ul << order))
			return true;
	}
	return false;
}

/*
 * Keep one half of a block that is cut. The half is counted as a block before the whole block
 * is subtracted. If it does not fit into the map, it counts as freed with the rest.
 */
static void kma_block_keep(const struct kma_live_object *whole, unsigned long pfn,
			   unsigned int order)
{
	struct kma_live_object half;

	if (!kma_block_new(&half, whole->site, whole->group, order, whole->birth))
		return;
	kma_block_count(&half, 1);
	if (!kma_block_put(&half, pfn)) {
		kma_block_gone(&half);
		kma_account_drop(KMA_DROP_FULL);
	}
}

/* Free a part of a block, which was removed from the map. */
static void kma_block_cut(const struct kma_live_object *whole, unsigned long base,
			  unsigned long pfn, unsigned int order)
{
	unsigned int o = kma_block_order(whole);
	struct kma_live_object part;
	bool counted;

	counted = kma_block_new(&part, whole->site, whole->group, order, whole->birth);
	if (counted)
		kma_block_count(&part, 1);
	while (o > order) {
		unsigned long buddy = base + (1ul << --o);

		if (pfn >= buddy)
			swap(base, buddy);
		kma_block_keep(whole, buddy, o);
	}
	kma_block_count(whole, -1);
	if (counted)
		kma_block_freed(&part);
}

/* Free pages that are a part of a block in the map, or all of it; false if none contains them. */
static bool kma_blocks_free_in(unsigned long pfn, unsigned int order)
{
	struct kma_live_object whole;
	unsigned long base;
	unsigned int seq;
	bool found;

	do {
		seq = read_seqcount_begin(&kma_pages.seq);
		found = kma_block_find(pfn, order, &base);
	} while (read_seqcount_retry(&kma_pages.seq, seq));
	if (!found)
		return false;

	kma_lock(&kma_pages.lock);
	write_seqcount_begin(&kma_pages.seq);
	/* Another CPU may have cut the block since then; search for the smaller block. */
	found = kma_block_find(pfn, order, &base) &&
		kma_block_take(base, order, KMA_PAGE_ORDER_MAX, &whole);
	if (found)
		kma_block_cut(&whole, base, pfn, order);
	write_seqcount_end(&kma_pages.seq);
	kma_unlock(&kma_pages.lock);
	return found;
}

/*
 * Free the smaller blocks within a block. Returns the number of pages in none of them. A block of
 * order 13 may have 8,192 parts, so irqs are on again after each KMA_PAGES_STEP searches, if
 * they were on before the event. The page allocator does not have the pages yet, so no other
 * event is about them.
 */
#define KMA_PAGES_STEP	32u

static unsigned long kma_blocks_free_parts(unsigned long pfn, unsigned int order,
					   unsigned long *flags)
{
	unsigned long end = pfn + (1ul << order), unknown = 0;
	unsigned int searches = 0;

	while (order && pfn < end) {
		struct kma_live_object block;

		if (++searches % KMA_PAGES_STEP == 0) {
			local_irq_restore(*flags);
			local_irq_save(*flags);
		}

		if (kma_block_take(pfn, 0, order - 1, &block)) {
			kma_block_freed(&block);
			pfn += 1ul << kma_block_order(&block);
		} else {
			unknown++;
			pfn++;
		}
	}
	return order ? unknown : 1;
}

/* Count the free of pages that are older than the account. */
static void kma_pages_free_unknown(unsigned long pages)
{
	struct kma_origin origin = kma_origin_pages();

	kma_account_unknown_pages(pages << PAGE_SHIFT);
	if (origin.owner == KMA_OWNER_CALLER)
		kma_class_change(kma_class_rare(kma_site_id(origin.call_site, KMA_KIND_FREE)),
				 KMA_CLASS_WORD(in), 1);
}

void kma_pages_alloc(unsigned long pfn, unsigned int order, unsigned int charged)
{
	unsigned long flags;

	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_live_is_open() || kma_relay_wanted()) {
		struct kma_origin origin = kma_origin_pages();

		kma_block_log(origin, pfn, order, false);
		if (kma_live_is_open())
			kma_block_alloc(origin, pfn, order, charged);
	}
	local_irq_restore(flags);
}

void kma_pages_alloc_one(unsigned long pfn, struct kma_origin origin)
{
	struct kma_live_object block;
	unsigned long flags;

	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	kma_block_log(origin, pfn, 0, true);
	if (kma_live_is_open() && !kma_block_look(pfn, &block))
		kma_block_alloc(origin, pfn, 0, 0);
	local_irq_restore(flags);
}

void kma_pages_free(unsigned long pfn, unsigned int order)
{
	struct kma_live_object block;
	unsigned long flags, unknown;

	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_relay_wanted())
		kma_relay_pages(pfn, order, 0, KMA_LOG_PAGE, false);
	if (likely(kma_block_take(pfn, order, order, &block))) {
		kma_block_freed(&block);
	} else if (kma_live_is_open() && !kma_blocks_free_in(pfn, order)) {
		unknown = kma_blocks_free_parts(pfn, order, &flags);
		if (unknown && kma_live_is_open())
			kma_pages_free_unknown(unknown);
	}
	local_irq_restore(flags);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * account.c - one event in, the books brought up to date.
 *
 * The rules and the locking are told in account.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "account.h"
#include "live.h"
#include "site.h"

static DEFINE_PER_CPU(struct kma_totals, kma_totals);
static bool kma_gate __read_mostly;

static void kma_drop(enum kma_drop cause)
{
	this_cpu_inc(kma_totals.drops[cause]);
}

/* The object is gone: credit the site that allocated it. */
static __always_inline void kma_credit(struct kma_live_entry obj)
{
	struct kma_site_count *c = kma_site_count(obj.site);
	size_t bytes = kma_size_bytes(obj.size);

	c->frees++;
	c->freed_req += bytes - kma_size_slack(obj.size);
	c->freed_bytes += bytes;
}

/* An allocation that was counted and found no place in the live map. */
static noinline void kma_undo(struct kma_site_count *c,
			      const struct kma_event *ev, enum kma_drop cause)
{
	c->allocs--;
	c->req -= ev->bytes_req;
	c->bytes -= ev->bytes_alloc;
	kma_drop(cause);
}

/* Interrupts are off and stay off. */
static __always_inline void kma_book_alloc(const struct kma_event *ev)
{
	unsigned int site = kma_site_id(ev->call_site);
	struct kma_site_count *c = kma_site_count(site);
	struct kma_live_entry old;
	u32 size;

	if (unlikely(!ev->ptr)) {
		c->failed++;
		return;
	}
	c->allocs++;
	c->req += ev->bytes_req;
	c->bytes += ev->bytes_alloc;

	size = kma_size_pack(ev->bytes_req, ev->bytes_alloc);
	if (unlikely(size == KMA_SIZE_BAD)) {
		kma_undo(c, ev, KMA_DROP_SIZE);
		return;
	}
	old = kma_live_put(ev->ptr, site, size);
	if (likely(old.found == KMA_LIVE_NONE))
		return;
	if (old.found == KMA_LIVE_FULL) {
		kma_undo(c, ev, KMA_DROP_FULL);
		return;
	}
	kma_credit(old);
	this_cpu_inc(kma_totals.implied);
}

static __always_inline void kma_book_free(const struct kma_event *ev)
{
	struct kma_live_entry obj = kma_live_take(ev->ptr);

	if (likely(obj.found == KMA_LIVE_OLD))
		kma_credit(obj);
	else
		kma_site_count(kma_site_id(ev->call_site))->unknown++;
}

void kma_account_alloc(const struct kma_event *ev)
{
	unsigned long flags;

	if (unlikely(in_nmi())) {
		kma_drop(KMA_DROP_NMI);
		return;
	}
	local_irq_save(flags);
	/* Pairs with the smp_store_release() in kma_account_open(). */
	if (likely(smp_load_acquire(&kma_gate)))
		kma_book_alloc(ev);
	local_irq_restore(flags);
}

void kma_account_free(const struct kma_event *ev)
{
	unsigned long flags;

	if (unlikely(in_nmi())) {
		kma_drop(KMA_DROP_NMI);
		return;
	}
	local_irq_save(flags);
	/* Pairs with the smp_store_release() in kma_account_open(). */
	if (likely(smp_load_acquire(&kma_gate)))
		kma_book_free(ev);
	local_irq_restore(flags);
}

void kma_account_open(void)
{
	/* The tables before the gate; pairs with the events' acquire. */
	smp_store_release(&kma_gate, true);
}

void kma_account_close(void)
{
	WRITE_ONCE(kma_gate, false);
}

bool kma_account_is_open(void)
{
	return READ_ONCE(kma_gate);
}

void kma_account_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&kma_totals, cpu), 0,
		       sizeof(struct kma_totals));
	kma_live_reset();
	kma_site_reset();
}

struct kma_totals kma_account_totals(void)
{
	struct kma_totals sum = {};
	int cpu, i;

	for_each_possible_cpu(cpu) {
		const struct kma_totals *t = per_cpu_ptr(&kma_totals, cpu);

		sum.implied += READ_ONCE(t->implied);
		for (i = 0; i < KMA_NR_DROPS; i++)
			sum.drops[i] += READ_ONCE(t->drops[i]);
	}
	return sum;
}

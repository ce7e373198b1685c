// SPDX-License-Identifier: GPL-2.0
/*
 * percpu.c - the rules for per-CPU memory.
 *
 * They are told in percpu.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/preempt.h>

#include "account/account.h"
#include "account/key.h"
#include "account/live.h"
#include "account/site.h"
#include "account/size.h"
#include "caller/origin.h"
#include "log/relay.h"
#include "source/percpu.h"
#include "watch/lifetime.h"

/* Words of four bytes, and below 64 KiB: kma_size_small() does for them. */
static bool kma_percpu_fits(size_t bytes)
{
	return !(bytes & ~0xfffcul);
}

static void kma_percpu_count(unsigned int site, size_t bytes, int n)
{
	struct kma_site_count *c = kma_site_count(site);
	long all = n * (long)(bytes * num_possible_cpus());

	kma_account_in(KMA_FLOW_PERCPU, all);
	c->allocs += n;
	c->req += all;
	c->bytes += all;
}

static void kma_percpu_gone(struct kma_live_entry old)
{
	struct kma_site_count *c = kma_site_count(old.site);
	size_t all = kma_size_bytes(old.size) * num_possible_cpus();

	c->freed_bytes += all;
	c->freed_req += all;
	c->frees++;
	kma_account_out(KMA_FLOW_PERCPU, all);
}

static void kma_percpu_book(unsigned long key, size_t bytes)
{
	unsigned int site = kma_site_id(kma_origin_percpu(), KMA_KIND_PERCPU);
	const struct kma_birth birth = kma_birth_now(KMA_KIND_PERCPU);
	const void *ptr = (void *)key;
	struct kma_live_entry old;
	struct kma_bucket *home;
	u32 head;

	home = kma_live_lock(ptr, &head);
	if (!home)
		return;
	kma_percpu_count(site, bytes, 1);
	old = kma_live_put(home, head, kma_live_tag(ptr), site,
			   kma_size_small(bytes, bytes), &birth);
	if (old.found == KMA_LIVE_OLD) {
		kma_percpu_gone(old);
		kma_account_implied();
	} else if (old.found == KMA_LIVE_FULL) {
		kma_percpu_count(site, bytes, -1);
		kma_account_drop(KMA_DROP_FULL);
	}
}

static void kma_percpu_log(const void *addr, size_t bytes)
{
	const struct kma_event e = {
		.call_site = bytes ? kma_origin_percpu() : 0, .ptr = addr,
		.req = bytes * num_possible_cpus(),
		.bytes = bytes * num_possible_cpus(), .kind = KMA_KIND_PERCPU,
	};

	if (bytes)
		kma_relay_alloc_event(&e);
	else
		kma_relay_free_event(&e);
}

void kma_percpu_alloc(const void *addr, size_t bytes)
{
	unsigned long flags, key;

	if (unlikely(in_nmi())) {
		kma_account_nmi();
		return;
	}
	local_irq_save(flags);
	if (kma_relay_wanted())
		kma_percpu_log(addr, bytes);
	if (!kma_live_is_open())
		goto out;
	if (!kma_percpu_fits(bytes))
		kma_account_drop(KMA_DROP_SIZE);
	else if (!kma_key_percpu(addr, &key))
		kma_account_drop(KMA_DROP_KEY);
	else
		kma_percpu_book(key, bytes);
out:
	local_irq_restore(flags);
}

void kma_percpu_free(const void *addr)
{
	struct kma_live_entry old = { .found = KMA_LIVE_NONE };
	struct kma_bucket *home = NULL;
	struct kma_birth birth;
	unsigned long flags, key;
	const void *ptr;
	u32 head;

	if (unlikely(in_nmi())) {
		kma_account_nmi();
		return;
	}
	local_irq_save(flags);
	if (kma_relay_wanted())
		kma_percpu_log(addr, 0);
	if (!kma_live_is_open())
		goto out;
	if (kma_key_percpu(addr, &key)) {
		ptr = (void *)key;
		home = kma_live_lock(ptr, &head);
	}
	if (home)
		old = kma_live_take(home, head, kma_live_tag(ptr), &birth);
	if (old.found == KMA_LIVE_OLD) {
		kma_percpu_gone(old);
		if (kma_age_on)
			kma_age_end(old.site, &birth);
	} else {
		kma_site_count(kma_site_id(kma_origin_percpu(), KMA_KIND_FREE))
			->unknown++;
	}
out:
	local_irq_restore(flags);
}

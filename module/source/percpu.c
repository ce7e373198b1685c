// SPDX-License-Identifier: GPL-2.0-only
/*
 * percpu.c - how allocations and frees of per-CPU memory change the account.
 *
 * The design is in percpu.h.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include "account/account.h"
#include "account/key.h"
#include "account/live.h"
#include "account/class.h"
#include "account/group.h"
#include "account/site.h"
#include "account/size.h"
#include "caller/origin.h"
#include "log/relay_event.h"
#include "source/percpu.h"
#include "watch/lifetime.h"

/* kma_size_copies() can hold a size that is a multiple of four bytes and below 64 KiB. */
static bool kma_percpu_fits(size_t bytes)
{
	return !(bytes & ~0xfffcul);
}

static void kma_percpu_count(unsigned int class, struct kma_size size, int n)
{
	kma_account_in(KMA_FLOW_PERCPU, n * (long)kma_class_bytes(size));
	kma_class_count_objects(class, size, n);
}

static void kma_percpu_gone(const struct kma_live_object *obj)
{
	kma_class_credit(obj->class, obj->size);
	kma_account_out(KMA_FLOW_PERCPU, kma_class_bytes(obj->size));
}

static void kma_percpu_book(unsigned long key, size_t bytes, unsigned int charged)
{
	unsigned int site = kma_site_id(kma_origin_percpu(), KMA_KIND_PERCPU);
	const struct kma_birth birth = kma_birth_now(KMA_KIND_PERCPU);
	struct kma_size size = kma_size_copies(bytes);
	unsigned int class = kma_class_of(site, kma_group_of(0, charged), size);
	const void *ptr = (void *)key;
	struct kma_live_object old;

	if (unlikely(class == KMA_CLASS_NONE)) {
		kma_account_drop(KMA_DROP_CLASS);
		return;
	}
	kma_percpu_count(class, size, 1);
	switch (kma_live_put(ptr, class, size, &birth, &old)) {
	case KMA_LIVE_NONE:
		break;
	case KMA_LIVE_OLD:
		/* it was freed without an event */
		kma_percpu_gone(&old);
		kma_account_implied();
		break;
	case KMA_LIVE_FULL:
		kma_percpu_count(class, size, -1);
		kma_account_drop(KMA_DROP_FULL);
		break;
	case KMA_LIVE_NO_PLACE:
		kma_percpu_count(class, size, -1);
		kma_account_drop(KMA_DROP_KEY);
		break;
	}
}

static void kma_percpu_log(const void *addr, size_t bytes)
{
	const struct kma_event e = {
		.call_site = bytes ? kma_origin_percpu() : 0, .ptr = addr,
		.req = bytes * kma_class_copies,
		.bytes = bytes * kma_class_copies, .kind = KMA_KIND_PERCPU,
	};

	if (bytes)
		kma_relay_alloc_event(&e);
	else
		kma_relay_free_event(&e);
}

void kma_percpu_alloc(const void *addr, size_t bytes, unsigned int charged)
{
	unsigned long flags, key;

	if (unlikely(!kma_account_may_lock()))
		return;
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
		kma_percpu_book(key, bytes, charged);
out:
	local_irq_restore(flags);
}

void kma_percpu_free(const void *addr)
{
	struct kma_live_object obj;
	unsigned long flags, key;

	if (unlikely(!kma_account_may_lock()))
		return;
	local_irq_save(flags);
	if (kma_relay_wanted())
		kma_percpu_log(addr, 0);
	if (!kma_live_is_open())
		goto out;
	if (kma_key_percpu(addr, &key) && kma_live_take((void *)key, &obj)) {
		kma_percpu_gone(&obj);
		if (READ_ONCE(kma_births_on))
			kma_age_end(obj.site, &obj.birth);
	} else {
		kma_class_change(kma_class_rare(kma_site_id(kma_origin_percpu(), KMA_KIND_FREE)),
				 KMA_CLASS_WORD(in), 1);
	}
out:
	local_irq_restore(flags);
}

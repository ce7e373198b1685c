// SPDX-License-Identifier: GPL-2.0-only
/*
 * boot.c - an account from the first slab allocation on.
 *
 * The design is in boot.h. Built only in a kernel with the hooks, in a directory below its
 * mm/, because it includes mm/slab.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/kmem_account.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "../../slab.h"
#include "account/account.h"
#include "account/events.h"
#include "account/kmem_cache.h"
#include "account/live.h"
#include "log/relay_event.h"
#include "source/boot.h"
#include "watch/dispatch.h"
#include "watch/errors.h"

/*
 * Setting up mm/ causes about 220 events. Five tables of the account have a part for each
 * possible CPU, and each part causes about five events. A test defines a smaller number.
 */
#ifndef KMA_BOOT_EVENTS
#define KMA_BOOT_EVENTS		1024
#endif
#define KMA_BOOT_CPU_EVENTS	32

/* Pages of memory below which the tables are made by the initcall; a test defines more. */
#ifndef KMA_BOOT_PAGES
#define KMA_BOOT_PAGES		1
#endif

struct kma_boot_event {
	struct kma_event e;
	bool alloc;
};

static struct kma_boot_event kma_boot_events[KMA_BOOT_EVENTS] __initdata;

static struct {
	raw_spinlock_t lock;
	bool logging;
	struct kma_boot_event *log;
	unsigned int max;
	unsigned int nr;
	unsigned long lost;
} kma_boot = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(kma_boot.lock),
};

static bool kma_boot_wanted __read_mostly;

/* The early log has ended, or there is none. */
static bool kma_boot_plain __read_mostly;

DEFINE_STATIC_KEY_FALSE(kmem_account_key);

/* True if the early log has taken the event, or has counted it as lost. */
static bool kma_boot_kept(const struct kma_event *e, bool alloc)
{
	unsigned long flags;
	bool logging;

	if (likely(!READ_ONCE(kma_boot.logging)))
		return false;
	if (in_nmi()) {
		kma_account_nmi();
		return true;
	}
	raw_spin_lock_irqsave(&kma_boot.lock, flags);
	logging = kma_boot.logging;
	if (logging && kma_boot.nr < kma_boot.max)
		kma_boot.log[kma_boot.nr++] = (struct kma_boot_event){ *e, alloc };
	else if (logging)
		kma_boot.lost++;
	raw_spin_unlock_irqrestore(&kma_boot.lock, flags);
	return logging;
}

static noinline void kma_boot_alloc(const struct kma_event *e)
{
	if (!kma_boot_kept(e, true))
		kma_dispatch_alloc(e);
}

static noinline void kma_boot_free(const struct kma_event *e)
{
	if (!kma_boot_kept(e, false))
		kma_dispatch_free(e);
}

/*
 * The cache alone decides. A cache that was merged with a cache of kmalloc() cannot be
 * distinguished from it.
 */
static enum kma_kind kma_boot_kind(const struct kmem_cache *s)
{
	return s->flags & SLAB_KMALLOC ? KMA_KIND_KMALLOC : KMA_KIND_CACHE;
}

/*
 * The hooks are also the probes of the event log; they do not report GFP flags. True if the
 * account is off, so that the event needs nothing more.
 */
static noinline bool kma_boot_relay_alloc(unsigned long caller, const void *p, size_t req,
					  size_t bytes, enum kma_kind kind)
{
	const struct kma_event e = {
		.call_site = caller, .ptr = p, .req = req, .bytes = bytes,
		.kind = kind,
	};

	kma_relay_alloc_event(&e);
	return !kma_live_is_open();
}

static noinline bool kma_boot_relay_free(unsigned long caller, const void *p)
{
	const struct kma_event e = {
		.call_site = caller, .ptr = p, .kind = KMA_KIND_FREE,
	};

	kma_relay_free_event(&e);
	return !kma_live_is_open();
}

/*
 * A hook tests the static key and counts in a section with preemption off, because those who
 * turn the hooks, the event log or a feature off wait for such sections. The test in
 * linux/kmem_account.h is outside of the section, and only saves the call.
 */
static bool kma_boot_enter(void)
{
	preempt_disable_notrace();
	if (static_branch_likely(&kmem_account_key))
		return true;
	preempt_enable_notrace();
	return false;
}

static void kma_boot_leave(void)
{
	preempt_enable_notrace();
}

static void kma_boot_count_alloc(struct kmem_cache *s, void *p, size_t req, unsigned long caller)
{
	if (kma_relay_wanted() && kma_boot_relay_alloc(caller, p, req, s->size, kma_boot_kind(s)))
		return;
	if (likely(READ_ONCE(kma_boot_plain)) && !kma_dispatch_wanted())
		kma_account_alloc(caller, p, req, s->size, kma_boot_kind(s));
	else
		kma_boot_alloc(&(struct kma_event){
			.call_site = caller, .ptr = p, .req = req,
			.bytes = s->size, .kind = kma_boot_kind(s), .cache = s,
		});
}

void __kmem_account_alloc(struct kmem_cache *s, void *p, size_t req, unsigned long caller)
{
	if (!kma_boot_enter())
		return;
	kma_boot_count_alloc(s, p, req, caller);
	kma_boot_leave();
}

void __kmem_account_alloc_bulk(struct kmem_cache *s, size_t n, void **p,
			       size_t req, unsigned long caller)
{
	size_t i;

	for (i = 0; i < n; i++)
		__kmem_account_alloc(s, p[i], req, caller);
}

void __kmem_account_alloc_large(const void *ptr, size_t req, unsigned long caller)
{
	const struct kma_event e = {
		.call_site = caller, .ptr = ptr, .req = req,
		.bytes = PAGE_SIZE << get_order(req), .kind = KMA_KIND_KMALLOC,
	};

	if (!kma_boot_enter())
		return;
	if (!kma_relay_wanted() || !kma_boot_relay_alloc(caller, ptr, req, e.bytes, e.kind))
		kma_boot_alloc(&e);
	kma_boot_leave();
}

static void kma_boot_count_free(void *p, unsigned long caller)
{
	/* before the early log, which would count one in an NMI as dropped */
	if (unlikely(ZERO_OR_NULL_PTR(p)))
		return;
	if (kma_relay_wanted() && kma_boot_relay_free(caller, p))
		return;
	if (likely(READ_ONCE(kma_boot_plain)) && !kma_dispatch_wanted())
		kma_account_free(caller, p);
	else
		kma_boot_free(&(struct kma_event){
			.call_site = caller, .ptr = p, .kind = KMA_KIND_FREE,
		});
}

void __kmem_account_free(void *p, unsigned long caller)
{
	if (!kma_boot_enter())
		return;
	kma_boot_count_free(p, caller);
	kma_boot_leave();
}

void __kmem_account_free_bulk(size_t n, void **p, unsigned long caller)
{
	size_t i;

	for (i = 0; i < n; i++)
		__kmem_account_free(p[i], caller);
}

bool kma_boot_asked(void)
{
	return kma_boot_wanted;
}

bool kma_boot_tells(unsigned int of)
{
	return of == KMA_EVENTS_SLAB && !kma_errors_asked;
}

/* Other parameters, such as kmem_account.events=, are parsed after this one. */
static int __init kma_boot_param(char *value)
{
	value = value ?: "on";
	kma_boot_wanted = strcmp(value, "off");
	if (kma_boot_wanted && strcmp(value, "on") && kma_events_parse(value)) {
		kma_boot_wanted = false;
		pr_warn("kmem_account=%s: invalid value (expected on, off, or a list of slab, page and percpu, separated by commas); the account stays off\n",
			value);
	}
	return 0;
}
early_param("kmem_account", kma_boot_param);

void kma_boot_layout(void)
{
	BUILD_BUG_ON(offsetof(struct kmem_cache, object_size) !=
		     offsetof(struct kmem_cache, size) + sizeof(u32));
	kma_cache_know(&(const struct kma_cache_layout){
		.size_at = offsetof(struct kmem_cache, size),
		.name_at = offsetof(struct kmem_cache, name),
		.page_at = offsetof(struct slab, slab_cache),
#ifdef __LITTLE_ENDIAN
		.count_at = offsetof(struct slab, counters),
#endif
	});
}

void kma_boot_attach(void)
{
	if (!kma_events_wanted(KMA_EVENTS_SLAB) || kma_errors_asked)
		return;
	WRITE_ONCE(kma_boot_plain, !kma_boot.logging);
	static_branch_enable(&kmem_account_key);
}

void kma_boot_detach(void)
{
	static_branch_disable(&kmem_account_key);
	kma_boot_synchronize();
}

/* Hooks count with preemption off. A hook that has not begun yet finds its key, or the map, off. */
void kma_boot_synchronize(void)
{
	synchronize_rcu();
}

/* A freed object may be gone, but the cache of an allocated object still exists. */
static void kma_boot_book(const struct kma_boot_event *b)
{
	if (b->alloc)
		kma_account_alloc_at(kma_site_id(b->e.call_site, b->e.kind), &b->e);
	else
		kma_dispatch_free_as(&b->e);
}

static void kma_boot_end(bool book)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&kma_boot.lock, flags);
	for (i = 0; book && i < kma_boot.nr; i++)
		kma_boot_book(&kma_boot.log[i]);
	if (book)
		kma_account_early(kma_boot.lost);
	WRITE_ONCE(kma_boot.logging, false);
	raw_spin_unlock_irqrestore(&kma_boot.lock, flags);
}

/* Free the log that replaced the static log. */
static void __ref kma_boot_release(void)
{
	if (kma_boot.log && kma_boot.log != kma_boot_events)
		free_pages_exact(kma_boot.log, kma_boot.max * sizeof(*kma_boot.log));
	kma_boot.log = NULL;
}

void kma_boot_replay(void)
{
	if (!kma_boot.logging)
		return;
	kma_boot_end(true);
	WRITE_ONCE(kma_boot_plain, true);
	pr_info("on since the first slab allocation: added %u events from before the tables existed\n",
		kma_boot.nr);
	if (kma_boot.lost)
		pr_warn("%lu more events at boot were lost, because the buffer for them was full\n",
			kma_boot.lost);
	kma_boot_release();
}

void kma_boot_abandon(void)
{
	if (!kma_boot.logging)
		return;
	static_branch_disable(&kmem_account_key);
	kma_boot_end(false);
	pr_err("the account did not start: %lu events at boot were lost\n",
	       kma_boot.nr + kma_boot.lost);
	kma_boot_release();
}

/* Replace the static log by a larger one, for many CPUs, if the pages are available. */
static void __init kma_boot_enlarge(void)
{
	unsigned int max = KMA_BOOT_EVENTS +
			   KMA_BOOT_CPU_EVENTS * num_possible_cpus();
	struct kma_boot_event *log;

	log = alloc_pages_exact(max * sizeof(*log), GFP_KERNEL | __GFP_NOWARN);
	if (!log)
		return;
	memcpy(log, kma_boot.log, kma_boot.nr * sizeof(*log));
	kma_boot.log = log;
	kma_boot.max = max;
}

void __init kmem_account_init_early(void)
{
	if (!kma_boot_wanted)
		return;
	kma_boot.log = kma_boot_events;
	kma_boot.max = ARRAY_SIZE(kma_boot_events);
	kma_boot.logging = true;
	/* if the hooks stay off, the replay counts nothing */
	kma_boot_attach();
}

void __init kmem_account_init(void)
{
	int err;

	if (!kma_boot_wanted)
		return;
	if (kma_errors_asked) {
		pr_warn("errors=1 needs trace events; the account cannot start before these are available\n");
		kma_boot_end(false);
		return;
	}
	kma_boot_enlarge();
	err = totalram_pages() < KMA_BOOT_PAGES ? -ENOMEM : kma_boot_start();
	if (err)
		pr_warn("cannot set up the account yet (error %d); keeping up to %u events until the initcall retries\n",
			err, kma_boot.max);
}

/* Runs before the kernel frees the memory of the static log. */
static int __init kma_boot_last(void)
{
	kma_boot_abandon();
	return 0;
}
late_initcall(kma_boot_last);

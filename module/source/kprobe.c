// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe.c - allocations and frees for which the kernel has no event.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/account.h"
#include "account/charge.h"
#include "account/events.h"
#include "account/kmem_cache.h"
#include "account/live.h"
#include "caller/frame.h"
#include "caller/origin.h"
#include "caller/rcu_free.h"
#include "compat/kprobes.h"
#include "compat/rcu.h"
#include "compat/pages.h"
#include "compat/regs.h"
#include "log/relay.h"
#include "log/relay_event.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/pages.h"
#include "source/selftest_note.h"
#include "watch/dispatch.h"

/* Calls of a bulk allocator that may run at once; they may sleep. */
#define KMA_MAXACTIVE	256

/*
 * The event log gets these events only here. The account may be off. Those who turn one of them
 * off wait for sections with preemption off; kernels differ in whether a handler is one.
 */
static void kma_untraced_alloc(const struct kma_event *e)
{
	preempt_disable_notrace();
	if (kma_relay_wanted())
		kma_relay_alloc_event(e);
	if (kma_live_is_open())
		kma_dispatch_alloc(e);
	preempt_enable_notrace();
}

static void kma_untraced_free(const struct kma_event *e)
{
	preempt_disable_notrace();
	if (kma_relay_wanted())
		kma_relay_free_event(e);
	if (kma_live_is_open())
		kma_dispatch_free(e);
	preempt_enable_notrace();
}

/* While both are off, as in the self-test, handlers do not follow pointers among arguments. */
static bool kma_untraced_wanted(void)
{
	return kma_relay_wanted() || kma_live_is_open();
}

/*
 * void kmem_cache_free_bulk(struct kmem_cache *s, size_t n, void **p)
 *
 * Without a cache it is kfree_bulk(), and the caller may be the worker of kfree_rcu(). If
 * kma_enter_rcu() has already counted the frees of its objects, the account does not know
 * them here, and must not count them as unknown.
 */
static int __kprobes kma_enter_free_bulk(struct kprobe *kp, struct pt_regs *regs)
{
	struct kmem_cache *s = (void *)kma_regs_argument(regs, 0);
	struct kma_event e = {
		.call_site = kma_regs_caller(regs),
		.kind = s ? KMA_KIND_CACHE : KMA_KIND_KMALLOC,
		.cache = s,
		.quiet = !KMA_RCU_ENDS_IN_BULK && !s,
	};
	size_t n = kma_regs_argument(regs, 1), i;
	void **p = (void **)kma_regs_argument(regs, 2);

	kma_selftest_see(KMA_TEST_FREE_BULK, e.call_site, (unsigned long)s, n, (unsigned long)p);
	if (!kma_untraced_wanted())
		return 0;
	for (i = 0; i < n; i++) {
		e.ptr = p[i];
		kma_untraced_free(&e);
	}
	return 0;
}

/*
 * void kvfree_call_rcu(struct rcu_head *head, void *ptr)
 *
 * The free is counted when kfree_rcu() is called, because the free after the grace period
 * cannot be seen. Memory of vmalloc() is not in the account.
 */
static int __kprobes kma_enter_rcu(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kma_event e = {
		.call_site = kma_regs_caller(regs),
		.ptr = (void *)kma_regs_argument(regs, 1),
		.kind = KMA_KIND_FREE,
	};

	kma_selftest_see(KMA_TEST_FREE_RCU, e.call_site, (unsigned long)e.ptr);
	if (!is_vmalloc_addr(e.ptr))
		kma_untraced_free(&e);
	return 0;
}

struct kma_alloc_bulk {
	struct kmem_cache *s;
	gfp_t gfp;
	size_t n;
	void **p;
};

/*
 * int kmem_cache_alloc_bulk(struct kmem_cache *s, gfp_t flags, size_t n,
 *			     void **p)
 */
static int __kprobes
kma_enter_alloc_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kma_alloc_bulk *call = (struct kma_alloc_bulk *)ri->data;

	call->s = (struct kmem_cache *)kma_regs_argument(regs, 0);
	call->gfp = (__force gfp_t)kma_regs_argument(regs, 1);
	call->n = kma_regs_argument(regs, 2);
	call->p = (void **)kma_regs_argument(regs, 3);
	return 0;
}

/* The function allocates all objects and returns their number, or none and returns 0. */
static int __kprobes
kma_leave_alloc_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kma_alloc_bulk *call = (struct kma_alloc_bulk *)ri->data;
	struct kma_event e = {
		.call_site = kma_kretprobe_caller(ri),
		.kind = KMA_KIND_CACHE,
	};
	size_t i;

	kma_selftest_see(KMA_TEST_ALLOC_BULK, e.call_site, (unsigned long)call->s,
			 (__force unsigned long)call->gfp, call->n, (unsigned long)call->p,
			 kma_bulk_worked(regs));
	if (!kma_untraced_wanted())
		return 0;
	e.req = kma_cache_req(call->s);
	e.bytes = kma_cache_bytes(call->s);
	e.charged = kma_charged(call->gfp, KMA_KIND_CACHE, call->s);
	if (unlikely(!kma_bulk_worked(regs))) {
		kma_untraced_alloc(&e);
		return 0;
	}
	for (i = 0; i < call->n; i++) {
		e.ptr = call->p[i];
		kma_untraced_alloc(&e);
	}
	return 0;
}

/* void kfree_nolock(const void *object) */
static int __kprobes kma_enter_free_nolock(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kma_event e = {
		.call_site = kma_regs_caller(regs),
		.ptr = (void *)kma_regs_argument(regs, 0),
	};

	kma_selftest_see(KMA_TEST_FREE_NOLOCK, e.call_site, (unsigned long)e.ptr);
	kma_untraced_free(&e);
	return 0;
}

/* void *kmalloc_nolock(size_t size, gfp_t gfp_flags, int node) */
static int __kprobes
kma_enter_alloc_nolock(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(size_t *)ri->data = kma_regs_argument(regs, 0);
	return 0;
}

/* The object is always one of a slab, of the next size class if that of @size is locked. */
static int __kprobes
kma_leave_alloc_nolock(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kma_event e = {
		.call_site = kma_kretprobe_caller(ri),
		.ptr = (void *)regs_return_value(regs),
		.req = *(size_t *)ri->data,
		.kind = KMA_KIND_KMALLOC,
	};
	bool large;

	kma_selftest_see(KMA_TEST_ALLOC_NOLOCK, e.call_site, e.req, (unsigned long)e.ptr);
	if (e.ptr == ZERO_SIZE_PTR || !kma_untraced_wanted())
		return 0;
	if (e.ptr)
		e.bytes = kma_cache_given(e.ptr, &large);
	kma_untraced_alloc(&e);
	return 0;
}

static struct kprobe kma_free_bulk = {
	.symbol_name = "kmem_cache_free_bulk",
	.pre_handler = kma_enter_free_bulk,
};

static struct kprobe kma_rcu __maybe_unused = {
	.symbol_name = "kvfree_call_rcu",
	.pre_handler = kma_enter_rcu,
};

static struct kretprobe kma_alloc_bulk = {
	.kp.symbol_name = KMA_ALLOC_BULK,
	.entry_handler = kma_enter_alloc_bulk,
	.handler = kma_leave_alloc_bulk,
	.data_size = sizeof(struct kma_alloc_bulk),
	.maxactive = KMA_MAXACTIVE,
};

static struct kprobe kma_free_nolock __maybe_unused = {
	.symbol_name = "kfree_nolock",
	.pre_handler = kma_enter_free_nolock,
};

static struct kretprobe kma_alloc_nolock __maybe_unused = {
	.kp.symbol_name = KMA_ALLOC_NOLOCK,
	.entry_handler = kma_enter_alloc_nolock,
	.handler = kma_leave_alloc_nolock,
	.data_size = sizeof(size_t),
	.maxactive = KMA_MAXACTIVE,
};

/*
 * alloc_pages_bulk() allocates many pages with one call, mainly for vmalloc(). It has an event only
 * for pages that it takes from alloc_pages(), but each of its pages is freed with an event. So the
 * pages that the account does not know are counted when it returns.
 *
 * The array of the caller may contain pages from before the call; the function fills the empty
 * elements. The account knows these older pages, unless they are older than the account. In that
 * case they are counted as pages of this call.
 */
struct kma_page_bulk_call {
	struct kma_origin origin;
	struct page **array;
	struct list_head *list;		/* or NULL; before v6.14 */
};

static int __kprobes
kma_enter_page_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kma_page_bulk_call *call = (struct kma_page_bulk_call *)ri->data;
	unsigned long flags;

	call->list = KMA_PAGE_BULK_LIST(regs);
	call->array = KMA_PAGE_BULK_ARRAY(regs);
	kma_selftest_see(KMA_TEST_PAGE_BULK, kma_regs_caller(regs), (unsigned long)call->list,
			 (unsigned long)call->array);
	if (!kma_live_is_open() && !kma_relay_wanted())
		return 1;
	/* Walk the stack here: at the return a trampoline is on it. */
	local_irq_save(flags);
	call->origin = kma_origin_above(regs, kma_regs_caller(regs));
	local_irq_restore(flags);
	return 0;
}

/* The function returns the number of pages from the start of the array. */
static int __kprobes
kma_leave_page_bulk(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kma_page_bulk_call *call =
		(const struct kma_page_bulk_call *)ri->data;
	unsigned long n = regs_return_value(regs), i;
	struct page *page;

	for (i = 0; call->array && i < n; i++)
		kma_pages_alloc_one(page_to_pfn(call->array[i]), call->origin);
	if (!call->list)
		return 0;
	/* New pages are at the front of the list. */
	list_for_each_entry(page, call->list, lru) {
		if (!n--)
			break;
		kma_pages_alloc_one(page_to_pfn(page), call->origin);
	}
	return 0;
}

static struct kretprobe kma_page_bulk = {
	.kp.symbol_name = KMA_PAGE_BULK,
	.entry_handler = kma_enter_page_bulk,
	.handler = kma_leave_page_bulk,
	.data_size = sizeof(struct kma_page_bulk_call),
	.maxactive = KMA_MAXACTIVE,
};

/*
 * Frees come first, as in tracepoint.c. A probe without a row on this kernel is
 * __maybe_unused, and the compiler drops it together with its handlers.
 */
static struct kma_untraced {
	struct kprobe *kp;
	struct kretprobe *rp;	/* contains kp; or NULL */
	unsigned int of;	/* the allocator: KMA_EVENTS_* */
	bool skip;		/* not needed on this kernel */
	bool on;
} kma_untraced[] = {
	{ &kma_free_bulk, NULL, KMA_EVENTS_SLAB },
#if !KMA_RCU_ENDS_IN_BULK
	{ &kma_rcu, NULL, KMA_EVENTS_SLAB },
#endif
#if KMA_HAS_NOLOCK
	{ &kma_free_nolock, NULL, KMA_EVENTS_SLAB },
#endif
	{ &kma_alloc_bulk.kp, &kma_alloc_bulk, KMA_EVENTS_SLAB },
#if KMA_HAS_NOLOCK
	{ &kma_alloc_nolock.kp, &kma_alloc_nolock, KMA_EVENTS_SLAB },
#endif
	{ &kma_page_bulk.kp, &kma_page_bulk, KMA_EVENTS_PAGE,
	  .skip = !KMA_HAS_PAGE_BULK },
};

static unsigned long kma_missed_reported[KMA_NR_AUDIENCES];
static unsigned int kma_untraced_users;	/* a bit for each enum kma_audience */

/* Clear the fields that the kernel has set in an earlier registration. */
static __cold int kma_untraced_attach(struct kma_untraced *u)
{
	u->kp->addr = NULL;
	u->kp->flags = 0;
	u->kp->nmissed = 0;
	if (!u->rp)
		return register_kprobe(u->kp);
	u->rp->nmissed = 0;
	return register_kretprobe(u->rp);
}

static __cold void kma_untraced_attach_all(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kma_untraced); i++) {
		struct kma_untraced *u = &kma_untraced[i];

		if (u->skip || !kma_events_wanted(u->of) || kma_boot_tells(u->of))
			continue;
		err = kma_untraced_attach(u);
		u->on = !err;
		if (err)
			pr_warn("cannot attach a kprobe to %s (error %d); its calls are not recorded\n",
				u->kp->symbol_name, err);
		else if (!KMA_RCU_ENDS_IN_BULK && u->kp == &kma_rcu)
			kma_rcu_free_use(true);
	}
	if (kma_rcu_free_used())
		kma_account_skip_frees(kma_rcu_free_ended);
}

static __cold void kma_untraced_detach_all(void)
{
	int i = ARRAY_SIZE(kma_untraced);

	kma_account_skip_frees(NULL);
	kma_rcu_free_use(false);
	while (i--) {
		struct kma_untraced *u = &kma_untraced[i];

		if (!u->on)
			continue;
		if (u->rp)
			unregister_kretprobe(u->rp);
		else
			unregister_kprobe(u->kp);
		u->on = false;
	}
}

__cold bool kma_untraced_complete(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_untraced); i++) {
		const struct kma_untraced *u = &kma_untraced[i];

		if (u->rp && !u->skip && u->of == KMA_EVENTS_SLAB && !u->on)
			return false;
	}
	return true;
}

/* Suffixes that a compiler, or a newer kernel, appends to the name of a function. */
static const char *const kma_name_tails[] = {
	"", "_noprof", ".isra.0", ".constprop.0", ".part.0",
	".constprop.0.isra.0", ".isra.0.constprop.0",
};

/* Look the name up by registering a kprobe that is never armed. */
static __cold bool kma_name_exists(const char *symbol)
{
	struct kprobe kp = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};

	if (register_kprobe(&kp))
		return false;
	unregister_kprobe(&kp);
	return true;
}

__cold bool kma_untraced_names(const char *name)
{
	char *symbol = kmalloc(KSYM_NAME_LEN, GFP_KERNEL);
	bool found = false;
	int i;

	if (!symbol || !*name) {
		kfree(symbol);
		return false;
	}
	for (i = 0; i < ARRAY_SIZE(kma_name_tails) && !found; i++) {
		int len = snprintf(symbol, KSYM_NAME_LEN, "%s%s", name,
				   kma_name_tails[i]);

		found = len < KSYM_NAME_LEN && kma_name_exists(symbol);
	}
	kfree(symbol);
	return found;
}

__cold unsigned long kma_untraced_missed(void)
{
	unsigned long missed = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_untraced); i++) {
		const struct kma_untraced *u = &kma_untraced[i];

		if (u->on)
			missed += u->kp->nmissed + (u->rp ? u->rp->nmissed : 0);
	}
	return missed;
}

__cold void kma_untraced_register(enum kma_audience who)
{
	if (!kma_untraced_users)
		kma_untraced_attach_all();
	kma_untraced_users |= BIT(who);
	kma_missed_reported[who] = kma_untraced_missed();
}

__cold void kma_untraced_unregister(enum kma_audience who)
{
	kma_untraced_settle();
	if (!(kma_untraced_users & BIT(who)))
		return;
	kma_untraced_users &= ~BIT(who);
	if (!kma_untraced_users)
		kma_untraced_detach_all();
}

static __cold void kma_untraced_settle_for(enum kma_audience who, unsigned long missed)
{
	unsigned long n = missed - kma_missed_reported[who];

	if (!(kma_untraced_users & BIT(who)))
		return;
	kma_missed_reported[who] = missed;
	if (who == KMA_FOR_ACCOUNT)
		kma_account_missed(n);
	else
		kma_relay_missed(n);
}

/* Calls that were skipped while a user was not registered do not count for that user. */
__cold void kma_untraced_settle(void)
{
	unsigned long missed = kma_untraced_missed();

	kma_untraced_settle_for(KMA_FOR_ACCOUNT, missed);
	kma_untraced_settle_for(KMA_FOR_LOG, missed);
}

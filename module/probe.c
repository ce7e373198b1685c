// SPDX-License-Identifier: GPL-2.0
/*
 * probe.c - the kmem tracepoints, and what of their events the account is told.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/kmem.h>
#include <trace/events/percpu.h>

#include "account.h"
#include "boot.h"
#include "compat/events.h"
#include "compat/late.h"
#include "compat/stub.h"
#include "detail.h"
#include "errors.h"
#include "events.h"
#include "pages.h"
#include "percpu.h"
#include "probe.h"

/*
 * Two probes for each event: kma_probe_*() does what is done by default, within
 * itself, and kma_told_*() hands the event on (detail.h).
 */
static __always_inline void kma_told_alloc(unsigned long call_site,
					   const void *ptr, size_t req,
					   size_t bytes, enum kma_kind kind)
{
	kma_detail_alloc(&(struct kma_event){
		.call_site = call_site, .ptr = ptr,
		.req = req, .bytes = bytes, .kind = kind,
	});
}

static __always_inline void kma_told_free(unsigned long call_site,
					  const void *ptr, enum kma_kind kind)
{
	kma_detail_free(&(struct kma_event){
		.call_site = call_site, .ptr = ptr, .kind = kind,
	});
}

#define kma_probe_alloc	kma_account_alloc

static __always_inline void kma_probe_free(unsigned long call_site,
					   const void *ptr, enum kma_kind kind)
{
	kma_account_free(call_site, ptr);
}

#define KMA_ALLOC_PROBE(how, event, proto, kind, req, bytes)		\
	static void kma_##how##_##event(proto)				\
	{								\
		kma_##how##_alloc(call_site, ptr, req, bytes, kind);	\
	}

#define KMA_FREE_PROBE(how, event, proto, kind)				\
	static void kma_##how##_##event(proto)				\
	{								\
		kma_##how##_free(call_site, ptr, kind);			\
	}

/* The typed calls let the compiler check each probe against its event. */
#define KMA_ATTACH(event)						\
	static int kma_attach_##event(bool detail)			\
	{								\
		return register_trace_##event(detail ?			\
					      kma_told_##event :	\
					      kma_probe_##event, NULL);	\
	}								\
	static void kma_detach_##event(bool detail)			\
	{								\
		unregister_trace_##event(detail ? kma_told_##event :	\
					 kma_probe_##event, NULL);	\
	}

KMA_FREE_PROBE(probe, kfree, KMA_KFREE_ARGS, KMA_KIND_KMALLOC)
KMA_FREE_PROBE(told, kfree, KMA_KFREE_ARGS, KMA_KIND_KMALLOC)
KMA_ATTACH(kfree)

KMA_FREE_PROBE(probe, kmem_cache_free, KMA_CACHE_FREE_ARGS, KMA_KIND_CACHE)
KMA_FREE_PROBE(told, kmem_cache_free, KMA_CACHE_FREE_ARGS, KMA_KIND_CACHE)
KMA_ATTACH(kmem_cache_free)

KMA_ALLOC_PROBE(probe, kmalloc, KMA_KMALLOC_ARGS, KMA_KIND_KMALLOC,
		bytes_req, bytes_alloc)
KMA_ALLOC_PROBE(told, kmalloc, KMA_KMALLOC_ARGS, KMA_KIND_KMALLOC,
		bytes_req, bytes_alloc)
KMA_ATTACH(kmalloc)

KMA_ALLOC_PROBE(probe, kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS, KMA_KIND_CACHE,
		KMA_CACHE_REQ, KMA_CACHE_BYTES)
KMA_ALLOC_PROBE(told, kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS, KMA_KIND_CACHE,
		KMA_CACHE_REQ, KMA_CACHE_BYTES)
KMA_ATTACH(kmem_cache_alloc)

#ifdef KMA_NODE_EVENTS
KMA_ALLOC_PROBE(probe, kmalloc_node, KMA_KMALLOC_NODE_ARGS, KMA_KIND_KMALLOC,
		bytes_req, bytes_alloc)
KMA_ALLOC_PROBE(told, kmalloc_node, KMA_KMALLOC_NODE_ARGS, KMA_KIND_KMALLOC,
		bytes_req, bytes_alloc)
KMA_ATTACH(kmalloc_node)

KMA_ALLOC_PROBE(probe, kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS,
		KMA_KIND_CACHE, bytes_req, bytes_alloc)
KMA_ALLOC_PROBE(told, kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS,
		KMA_KIND_CACHE, bytes_req, bytes_alloc)
KMA_ATTACH(kmem_cache_alloc_node)
#endif

static bool kma_probe_untraced;

/* The event of a cache's free, or what stands in for it. */
static int kma_attach_cache_free(bool detail)
{
	bool entry = (KMA_EVENT_IS_LATE && kma_probe_untraced) ||
		     kma_errors_on;

	if (entry && !kma_late_attach())
		return 0;
	if (kma_errors_on)
		pr_warn("what kmem_cache_free() frees is not checked\n");
	return kma_attach_kmem_cache_free(detail);
}

static void kma_detach_cache_free(bool detail)
{
	if (!kma_late_detach())
		kma_detach_kmem_cache_free(detail);
}

/*
 * The events of pages and of per-CPU memory are not exported. They are found by
 * name; the compiler still checks the probe against its event.
 */
struct kma_search {
	const char *event;
	struct tracepoint *found;
};

static void kma_search_one(struct tracepoint *tp, void *priv)
{
	struct kma_search *search = priv;

	if (!strcmp(tp->name, search->event))
		search->found = tp;
}

static struct tracepoint *kma_search(const char *event)
{
	struct kma_search search = { .event = event };

	for_each_kernel_tracepoint(kma_search_one, &search);
	return search.found;
}

#define KMA_ATTACH_FOUND(event)						\
	static int kma_attach_##event(bool detail)			\
	{								\
		struct tracepoint *tp = kma_search(#event);		\
									\
		check_trace_callback_type_##event(kma_probe_##event);	\
		if (!tp)						\
			return -ENOENT;					\
		return tracepoint_probe_register(tp, kma_probe_##event,	\
						 NULL);			\
	}								\
	static void kma_detach_##event(bool detail)			\
	{								\
		tracepoint_probe_unregister(kma_search(#event),		\
					    kma_probe_##event, NULL);	\
	}

static void kma_probe_mm_page_free(KMA_PAGE_FREE_ARGS)
{
	kma_pages_free(page_to_pfn(page), order);
}

KMA_ATTACH_FOUND(mm_page_free)

static void kma_probe_mm_page_alloc(KMA_PAGE_ALLOC_ARGS)
{
	kma_pages_alloc(page ? page_to_pfn(page) : KMA_PFN_NONE, order);
}

KMA_ATTACH_FOUND(mm_page_alloc)

static void kma_probe_percpu_free_percpu(KMA_PERCPU_FREE_ARGS)
{
	kma_percpu_free(base_addr + off);
}

KMA_ATTACH_FOUND(percpu_free_percpu)

static void kma_probe_percpu_alloc_percpu(KMA_PERCPU_ALLOC_ARGS)
{
	kma_percpu_alloc(base_addr + off, size);
}

KMA_ATTACH_FOUND(percpu_alloc_percpu)

/*
 * Frees first: an allocation that is seen while frees are not yet would stay in
 * the account for good.
 */
static struct {
	unsigned int of;	/* whose event it is: KMA_EVENTS_* */
	const char *event;
	int (*attach)(bool detail);
	void (*detach)(bool detail);
	bool on;
} kma_probes[] = {
#define KMA_PROBE_ROW(of, event) \
	{ KMA_EVENTS_##of, #event, kma_attach_##event, kma_detach_##event }
	KMA_PROBE_ROW(SLAB, kfree),
	{ KMA_EVENTS_SLAB, "kmem_cache_free", kma_attach_cache_free,
	  kma_detach_cache_free },
	KMA_PROBE_ROW(PAGE, mm_page_free),
	KMA_PROBE_ROW(PERCPU, percpu_free_percpu),
	KMA_PROBE_ROW(SLAB, kmalloc),
	KMA_PROBE_ROW(SLAB, kmem_cache_alloc),
#ifdef KMA_NODE_EVENTS
	KMA_PROBE_ROW(SLAB, kmalloc_node),
	KMA_PROBE_ROW(SLAB, kmem_cache_alloc_node),
#endif
	KMA_PROBE_ROW(PAGE, mm_page_alloc),
	KMA_PROBE_ROW(PERCPU, percpu_alloc_percpu),
};

int kma_probe_register(bool untraced)
{
	unsigned int i;

	KMA_STUB(kma_probe_register, untraced);
	kma_probe_untraced = untraced;
	for (i = 0; i < ARRAY_SIZE(kma_probes); i++) {
		int err;

		if (!kma_events_wanted(kma_probes[i].of) ||
		    kma_boot_tells(kma_probes[i].of))
			continue;
		err = kma_probes[i].attach(kma_detail_wanted());
		if (err) {
			pr_err("tracepoint %s: error %d\n", kma_probes[i].event,
			       err);
			kma_probe_unregister();
			return err;
		}
		kma_probes[i].on = true;
	}
	return 0;
}

void kma_probe_unregister(void)
{
	unsigned int i = ARRAY_SIZE(kma_probes);

	while (i--) {
		if (kma_probes[i].on)
			kma_probes[i].detach(kma_detail_wanted());
		kma_probes[i].on = false;
	}
	tracepoint_synchronize_unregister();
}

void kma_probe_synchronize(void)
{
	tracepoint_synchronize_unregister();
	/* kprobes run with preemption off, for which that does not wait on 7.2 */
	synchronize_rcu();
}

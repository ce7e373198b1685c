// SPDX-License-Identifier: GPL-2.0
/*
 * probe.c - the kmem tracepoints, and what of their events the account is told.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <trace/events/kmem.h>

#include "account.h"
#include "compat/events.h"
#include "probe.h"

static void kma_probe_kmalloc(KMA_KMALLOC_ARGS)
{
	kma_account_alloc(call_site, ptr, bytes_req, bytes_alloc);
}

static void kma_probe_kmem_cache_alloc(KMA_CACHE_ALLOC_ARGS)
{
	kma_account_alloc(call_site, ptr, KMA_CACHE_REQ, KMA_CACHE_BYTES);
}

#ifdef KMA_NODE_EVENTS
static void kma_probe_kmalloc_node(KMA_KMALLOC_ARGS, int node)
{
	kma_account_alloc(call_site, ptr, bytes_req, bytes_alloc);
}

static void kma_probe_kmem_cache_alloc_node(KMA_CACHE_ALLOC_ARGS, int node)
{
	kma_account_alloc(call_site, ptr, KMA_CACHE_REQ, KMA_CACHE_BYTES);
}
#endif

static void kma_probe_kfree(void *data, unsigned long call_site,
			    const void *ptr)
{
	kma_account_free(call_site, ptr);
}

static void kma_probe_kmem_cache_free(KMA_CACHE_FREE_ARGS)
{
	kma_account_free(call_site, ptr);
}

/* The typed calls let the compiler check each probe against its event. */
#define KMA_PROBE(event)						\
	static int kma_register_##event(void)				\
	{								\
		return register_trace_##event(kma_probe_##event, NULL);	\
	}								\
	static void kma_unregister_##event(void)			\
	{								\
		unregister_trace_##event(kma_probe_##event, NULL);	\
	}

KMA_PROBE(kfree)
KMA_PROBE(kmem_cache_free)
KMA_PROBE(kmalloc)
KMA_PROBE(kmem_cache_alloc)
#ifdef KMA_NODE_EVENTS
KMA_PROBE(kmalloc_node)
KMA_PROBE(kmem_cache_alloc_node)
#endif

/*
 * Frees first: an allocation that is seen while frees are not yet would stay in
 * the account for good.
 */
static const struct {
	const char *event;
	int (*attach)(void);
	void (*detach)(void);
} kma_probes[] = {
#define KMA_PROBE_ROW(event) \
	{ #event, kma_register_##event, kma_unregister_##event }
	KMA_PROBE_ROW(kfree),
	KMA_PROBE_ROW(kmem_cache_free),
	KMA_PROBE_ROW(kmalloc),
	KMA_PROBE_ROW(kmem_cache_alloc),
#ifdef KMA_NODE_EVENTS
	KMA_PROBE_ROW(kmalloc_node),
	KMA_PROBE_ROW(kmem_cache_alloc_node),
#endif
};

static void kma_probe_detach(unsigned int n)
{
	while (n--)
		kma_probes[n].detach();
	tracepoint_synchronize_unregister();
}

int kma_probe_register(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kma_probes); i++) {
		int err = kma_probes[i].attach();

		if (err) {
			pr_err("tracepoint %s: error %d\n", kma_probes[i].event,
			       err);
			kma_probe_detach(i);
			return err;
		}
	}
	return 0;
}

void kma_probe_unregister(void)
{
	kma_probe_detach(ARRAY_SIZE(kma_probes));
}

void kma_probe_synchronize(void)
{
	tracepoint_synchronize_unregister();
}

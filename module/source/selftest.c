// SPDX-License-Identifier: GPL-2.0-only
/*
 * selftest.c - check at load that each probe gets the arguments that it was compiled for.
 *
 * selftest.h gives the reasons.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/topology.h>
#include <linux/tracepoint.h>
#include <trace/events/kmem.h>
#include <trace/events/percpu.h>

#include "account/events.h"
#include "account/kmem_cache.h"
#include "compat/events.h"
#include "compat/late.h"
#include "compat/pages.h"
#include "compat/rcu.h"
#include "source/boot.h"
#include "source/kprobe.h"
#include "source/late.h"
#include "source/selftest.h"
#include "source/selftest_note.h"
#include "source/tracepoint.h"
#include "watch/errors.h"

/*
 * The arguments by which this module was compiled, for `kmem-account check --kernel`: the kernel
 * checks no argument of a probe when it loads a module. They are in .modinfo, which the kernel
 * frees after loading.
 */
#define KMA_EVENT_INFO(event_, ...)					\
	MODULE_INFO(event, #event_ "(" __stringify(__VA_ARGS__) ")")
KMA_EVENT_INFO(kfree, KMA_KFREE_ARGS);
KMA_EVENT_INFO(kmem_cache_free, KMA_CACHE_FREE_ARGS);
KMA_EVENT_INFO(mm_page_free, KMA_PAGE_FREE_ARGS);
KMA_EVENT_INFO(percpu_free_percpu, KMA_PERCPU_FREE_ARGS);
KMA_EVENT_INFO(kmalloc, KMA_KMALLOC_ARGS);
KMA_EVENT_INFO(kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS);
#ifdef KMA_NODE_EVENTS
KMA_EVENT_INFO(kmalloc_node, KMA_KMALLOC_NODE_ARGS);
KMA_EVENT_INFO(kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS);
#endif
KMA_EVENT_INFO(mm_page_alloc, KMA_PAGE_ALLOC_ARGS);
KMA_EVENT_INFO(percpu_alloc_percpu, KMA_PERCPU_ALLOC_ARGS);
KMA_EVENT_INFO(mm_vmscan_direct_reclaim_begin, KMA_RECLAIM_BEGIN_ARGS);
KMA_EVENT_INFO(mm_vmscan_direct_reclaim_end, KMA_RECLAIM_END_ARGS);
#ifdef CONFIG_MEMCG
KMA_EVENT_INFO(mm_vmscan_memcg_reclaim_begin, KMA_RECLAIM_BEGIN_ARGS);
KMA_EVENT_INFO(mm_vmscan_memcg_reclaim_end, KMA_RECLAIM_END_ARGS);
#endif
#ifdef CONFIG_COMPACTION
KMA_EVENT_INFO(mm_compaction_begin, KMA_COMPACT_ARGS);
KMA_EVENT_INFO(mm_compaction_end, KMA_COMPACT_ARGS, int status);
#endif
KMA_EVENT_INFO(mark_victim, KMA_OOM_VICTIM_ARGS);

#define KMA_TEST_TRIES		3	/* an allocation may fail, and a kprobe may be skipped */
#define KMA_TEST_CODE		8192	/* bytes of kma_test_call(), at most */
#define KMA_TEST_CACHE_BYTES	72
#define KMA_TEST_PERCPU_BYTES	24
#define KMA_TEST_ORDER		1
#define KMA_TEST_BULK		2
#define KMA_TEST_GFP		(GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY)
/* Flags that the kernel may add or remove before it reports them. */
#define KMA_TEST_GFP_NOISE	(GFP_KERNEL | __GFP_HARDWALL | __GFP_COMP)

/* Probes with the lists of arguments of those in tracepoint.c. */
#define KMA_WORD(value)	((__force unsigned long)(value))
#define KMA_TEST_PROBE(event, proto, test, ...)				\
	static void kma_test_##event(proto)				\
	{								\
		kma_selftest_see(test, __VA_ARGS__);			\
	}

#ifdef KMA_NODE_EVENTS
#define KMA_TEST_KMALLOC_CACHE	KMA_WORD(KMA_CACHE)
#define KMA_TEST_CACHE_REQ	bytes_req
#define KMA_TEST_CACHE_ALLOC_BYTES	bytes_alloc
#ifdef KMA_FREE_NAME
#define KMA_TEST_FREE_CACHE	KMA_WORD(name)
#else
#define KMA_TEST_FREE_CACHE	0
#endif
#else
#define KMA_TEST_KMALLOC_CACHE	0
#define KMA_TEST_CACHE_REQ	0
#define KMA_TEST_CACHE_ALLOC_BYTES	0
#define KMA_TEST_FREE_CACHE	KMA_WORD(s)
#endif

KMA_TEST_PROBE(kmalloc, KMA_KMALLOC_ARGS, KMA_TEST_KMALLOC, call_site, KMA_WORD(ptr),
	       KMA_TEST_KMALLOC_CACHE, bytes_req, bytes_alloc, KMA_WORD(gfp_flags), KMA_EVENT_NODE)
KMA_TEST_PROBE(kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS, KMA_TEST_CACHE_ALLOC, call_site,
	       KMA_WORD(ptr), KMA_WORD(KMA_CACHE), KMA_TEST_CACHE_REQ,
	       KMA_TEST_CACHE_ALLOC_BYTES, KMA_WORD(gfp_flags), KMA_EVENT_NODE)
KMA_TEST_PROBE(kfree, KMA_KFREE_ARGS, KMA_TEST_KFREE, call_site, KMA_WORD(ptr))
KMA_TEST_PROBE(kmem_cache_free, KMA_CACHE_FREE_ARGS, KMA_TEST_CACHE_FREE, call_site, KMA_WORD(ptr),
	       KMA_TEST_FREE_CACHE)
#ifdef KMA_NODE_EVENTS
KMA_TEST_PROBE(kmalloc_node, KMA_KMALLOC_NODE_ARGS, KMA_TEST_KMALLOC_NODE, call_site, KMA_WORD(ptr),
	       KMA_TEST_KMALLOC_CACHE, bytes_req, bytes_alloc, KMA_WORD(gfp_flags), node)
KMA_TEST_PROBE(kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS, KMA_TEST_CACHE_ALLOC_NODE, call_site,
	       KMA_WORD(ptr), KMA_WORD(KMA_CACHE), bytes_req, bytes_alloc, KMA_WORD(gfp_flags),
	       node)
#endif
KMA_TEST_PROBE(mm_page_alloc, KMA_PAGE_ALLOC_ARGS, KMA_TEST_PAGE_ALLOC, KMA_WORD(page), order,
	       KMA_WORD(gfp_flags), migratetype)
KMA_TEST_PROBE(mm_page_free, KMA_PAGE_FREE_ARGS, KMA_TEST_PAGE_FREE, KMA_WORD(page), order)
#ifdef KMA_PERCPU_NO_SITE
#define KMA_TEST_PERCPU_SITE	0
#define KMA_TEST_PERCPU_ALL	0
#define KMA_TEST_PERCPU_GFP	KMA_WORD(KMA_TEST_GFP)
#else
#define KMA_TEST_PERCPU_SITE	call_site
#define KMA_TEST_PERCPU_ALL	bytes_alloc
#define KMA_TEST_PERCPU_GFP	KMA_WORD(gfp_flags)
#endif
KMA_TEST_PROBE(percpu_alloc_percpu, KMA_PERCPU_ALLOC_ARGS, KMA_TEST_PERCPU_ALLOC,
	       KMA_TEST_PERCPU_SITE, reserved, is_atomic, size, align, KMA_WORD(base_addr) + off,
	       off, KMA_WORD(ptr), KMA_TEST_PERCPU_ALL, KMA_TEST_PERCPU_GFP)
KMA_TEST_PROBE(percpu_free_percpu, KMA_PERCPU_FREE_ARGS, KMA_TEST_PERCPU_FREE,
	       KMA_WORD(base_addr) + off, off, KMA_WORD(ptr))

static struct kma_test_probe {
	const char *event;
	enum kma_test test;
	unsigned int of;	/* the allocator: KMA_EVENTS_* */
	void *probe;
	struct tracepoint *tp;	/* NULL if the probe is not attached */
} kma_test_probes[] = {
#define KMA_TEST_ROW(event, test, of)					\
	{ #event, KMA_TEST_##test, KMA_EVENTS_##of, kma_test_##event }
	KMA_TEST_ROW(kmalloc, KMALLOC, SLAB),
	KMA_TEST_ROW(kmem_cache_alloc, CACHE_ALLOC, SLAB),
	KMA_TEST_ROW(kfree, KFREE, SLAB),
	KMA_TEST_ROW(kmem_cache_free, CACHE_FREE, SLAB),
#ifdef KMA_NODE_EVENTS
	KMA_TEST_ROW(kmalloc_node, KMALLOC_NODE, SLAB),
	KMA_TEST_ROW(kmem_cache_alloc_node, CACHE_ALLOC_NODE, SLAB),
#endif
	KMA_TEST_ROW(mm_page_alloc, PAGE_ALLOC, PAGE),
	KMA_TEST_ROW(mm_page_free, PAGE_FREE, PAGE),
	KMA_TEST_ROW(percpu_alloc_percpu, PERCPU_ALLOC, PERCPU),
	KMA_TEST_ROW(percpu_free_percpu, PERCPU_FREE, PERCPU),
};

/* Functions without an event, which kprobes and the callback of late.h see. */
static const struct {
	enum kma_test test;
	const char *function;
} kma_test_functions[] = {
	{ KMA_TEST_CACHE_FREE_ENTRY, "kmem_cache_free" },
	{ KMA_TEST_ALLOC_BULK, "kmem_cache_alloc_bulk" },
	{ KMA_TEST_FREE_BULK, "kmem_cache_free_bulk" },
	{ KMA_TEST_PAGE_BULK, "alloc_pages_bulk" },
	{ KMA_TEST_FREE_RCU, "kvfree_call_rcu" },
	{ KMA_TEST_ALLOC_NOLOCK, "kmalloc_nolock" },
	{ KMA_TEST_FREE_NOLOCK, "kfree_nolock" },
};

struct kma_test_object {
	struct rcu_head rcu;
	char rest[184];
};

/* What the calls of the test have returned. */
struct kma_test_calls {
	struct kmem_cache *cache;
	void *object, *node_object, *cached, *node_cached, *nolock, *rcu;
	size_t bytes, node_bytes, cached_bytes;
	void *bulk[KMA_TEST_BULK];	/* the function that frees them may clear this */
	bool bulk_worked;
	struct page *page, *pages[KMA_TEST_BULK];
	void __percpu *percpu;
	int node;
};

static __cold size_t kma_test_bytes(const void *object)
{
	bool whole_pages;

	return object ? kma_cache_given(object, &whole_pages) : 0;
}

/* From here on this task calls what @test names, and nothing else. */
static __always_inline void kma_test_arm(enum kma_test test)
{
	WRITE_ONCE(kma_selftest_now, test);
	barrier();
}

static __cold void kma_test_free_bulk(struct kma_test_calls *c)
{
	int i;

	for (i = 0; i < KMA_TEST_BULK; i++)
		if (c->pages[i])
			__free_page(c->pages[i]);
}

/*
 * Long function: make each call. All are here, so that the address of the caller is known. A call
 * may cause events of other kinds, which are not noted while its own kind is armed.
 */
static noinline __noclone __cold void kma_test_call(struct kma_test_calls *c)
{
	struct kma_test_object *rcu = kmalloc(sizeof(*rcu), KMA_TEST_GFP);

	c->node = numa_mem_id();
	kma_test_arm(KMA_TEST_KMALLOC);
	c->object = kmalloc(sizeof(*rcu), KMA_TEST_GFP);
	kma_test_arm(KMA_TEST_KMALLOC_NODE);
	c->node_object = kmalloc_node(sizeof(*rcu), KMA_TEST_GFP, c->node);
	kma_test_arm(KMA_TEST_CACHE_ALLOC);
	c->cached = kmem_cache_alloc(c->cache, KMA_TEST_GFP);
	kma_test_arm(KMA_TEST_CACHE_ALLOC_NODE);
	c->node_cached = kmem_cache_alloc_node(c->cache, KMA_TEST_GFP, c->node);
	kma_test_arm(KMA_TEST_NONE);
	c->bytes = kma_test_bytes(c->object);
	c->node_bytes = kma_test_bytes(c->node_object);
	c->cached_bytes = kma_test_bytes(c->cached);

	kma_test_arm(KMA_TEST_PAGE_ALLOC);
	c->page = alloc_pages(KMA_TEST_GFP, KMA_TEST_ORDER);
	kma_test_arm(KMA_TEST_PAGE_FREE);
	if (c->page)
		__free_pages(c->page, KMA_TEST_ORDER);
	kma_test_arm(KMA_TEST_PERCPU_ALLOC);
	c->percpu = __alloc_percpu_gfp(KMA_TEST_PERCPU_BYTES, sizeof(u64), KMA_TEST_GFP);
	kma_test_arm(KMA_TEST_PERCPU_FREE);
	free_percpu(c->percpu);

	kma_test_arm(KMA_TEST_KFREE);
	kfree(c->object);
	/* the event, or the callback that replaces it */
	kma_test_arm(KMA_TEST_CACHE_FREE);
	if (c->cached)
		kmem_cache_free(c->cache, c->cached);
	kma_test_arm(KMA_TEST_CACHE_FREE_ENTRY);
	if (c->node_cached)
		kmem_cache_free(c->cache, c->node_cached);
	kma_test_arm(KMA_TEST_NONE);
	kfree(c->node_object);

	kma_test_arm(KMA_TEST_ALLOC_BULK);
	c->bulk_worked = kmem_cache_alloc_bulk(c->cache, KMA_TEST_GFP, KMA_TEST_BULK, c->bulk);
	kma_test_arm(KMA_TEST_FREE_BULK);
	if (c->bulk_worked)
		kmem_cache_free_bulk(c->cache, KMA_TEST_BULK, c->bulk);
#ifndef KMA_NO_PAGE_BULK
	kma_test_arm(KMA_TEST_PAGE_BULK);
	kma_page_bulk_array(KMA_TEST_GFP, KMA_TEST_BULK, c->pages);
#endif
	kma_test_arm(KMA_TEST_NONE);
	kma_test_free_bulk(c);
#ifndef KMA_NO_NOLOCK
	kma_test_arm(KMA_TEST_ALLOC_NOLOCK);
	c->nolock = kmalloc_nolock(sizeof(*rcu), 0, NUMA_NO_NODE);
	kma_test_arm(KMA_TEST_FREE_NOLOCK);
	kfree_nolock(c->nolock);
#endif
	c->rcu = rcu;
	kma_test_arm(KMA_TEST_FREE_RCU);
	if (KMA_RCU_ENDS_IN_BULK)
		kfree(rcu);
	else if (rcu)
		kfree_rcu(rcu, rcu);
	kma_test_arm(KMA_TEST_NONE);
}

/* An argument as it should be: its bits but for @noise are in @want to @want + @room. */
struct kma_expect {
	const char *name;
	unsigned long want, room, noise;
};

#define KMA_IS(name, value)	{ name, KMA_WORD(value), 0, 0 }
#define KMA_WITHIN(name, from, room)	{ name, KMA_WORD(from), room, 0 }
#define KMA_ANY(name)		{ name, 0, 0, ~0ul }
#define KMA_CALLER		KMA_WITHIN("call_site", kma_test_call, KMA_TEST_CODE)
#define KMA_GFP(flags)		{ "gfp_flags", KMA_WORD(flags), 0, KMA_WORD(KMA_TEST_GFP_NOISE) }
/* Where the size of the object is not known, @bytes is 0, and the size is at least @req. */
static __cold struct kma_expect kma_expect_bytes(size_t req, size_t bytes)
{
	return (struct kma_expect){ "bytes_alloc", bytes ?: req, bytes ? 0 : PAGE_SIZE, 0 };
}

#ifdef KMA_NO_CACHE_ARG
#define KMA_EXPECT_CACHE(c)	KMA_IS("s", NULL)
#else
#define KMA_EXPECT_CACHE(c)	KMA_IS("s", (c)->cache)
#endif
#ifdef KMA_NODE_EVENTS
#define KMA_EXPECT_REQ		KMA_IS("bytes_req", KMA_TEST_CACHE_BYTES)
#define KMA_EXPECT_BYTES(c)						\
	kma_expect_bytes(KMA_TEST_CACHE_BYTES, (c)->cached_bytes)
#ifdef KMA_FREE_NAME
#define KMA_EXPECT_FREE_CACHE(c)	KMA_WITHIN("name", PAGE_SIZE, ~PAGE_SIZE)
#else
#define KMA_EXPECT_FREE_CACHE(c)	KMA_IS("s", NULL)
#endif
#else
#define KMA_EXPECT_REQ		KMA_IS("bytes_req", 0)
#define KMA_EXPECT_BYTES(c)	KMA_IS("bytes_alloc", 0)
#define KMA_EXPECT_FREE_CACHE(c)	KMA_IS("s", (c)->cache)
#endif
#ifdef KMA_PERCPU_NO_SITE
#define KMA_EXPECT_PERCPU_SITE	KMA_IS("call_site", 0)
#define KMA_EXPECT_PERCPU_BYTES	KMA_IS("bytes_alloc", 0)
#else
/*
 * The caller is __alloc_percpu_gfp() itself in kernels with frame pointers (arm64), which are built
 * with -fno-optimize-sibling-calls. In a list without this argument, 0 or 1 would be in its place.
 */
#define KMA_EXPECT_PERCPU_SITE	KMA_WITHIN("call_site", PAGE_SIZE, ~PAGE_SIZE)
/* Memory cgroups need some bytes more. */
#define KMA_EXPECT_PERCPU_BYTES						\
	KMA_WITHIN("bytes_alloc", KMA_TEST_PERCPU_BYTES * num_possible_cpus(), \
		   4 * KMA_TEST_PERCPU_BYTES)
#endif

static __cold bool kma_test_fits(const struct kma_expect *x, unsigned long word)
{
	return (word & ~x->noise) - (x->want & ~x->noise) <= x->room;
}

/* Return the number of the first argument that is wrong, or the number of arguments. */
static __cold unsigned int kma_test_first_wrong(const struct kma_expect *x,
						const unsigned long *words)
{
	unsigned int i;

	for (i = 0; x[i].name && kma_test_fits(&x[i], words[i]); i++)
		;
	return i;
}

/*
 * Compare the calls that were seen with what the test has called, and allow others beside it: an
 * allocation may cause another one. The call that agrees in the most arguments is reported.
 */
static __cold int kma_test_compare(enum kma_test test, const char *kind, const char *name,
				   const struct kma_expect *x)
{
	const struct kma_test_seen *seen = &kma_test_seen[test];
	unsigned int i, most = 0;

	if (!seen->n)
		return -ENOENT;
	for (i = 0; i < seen->n; i++)
		most = max(most, kma_test_first_wrong(x, seen->words[i]));
	if (!x[most].name)
		return 0;
	pr_err("%s %s: argument %s is not what the module has passed; the module was built for another kernel\n",
	       kind, name, x[most].name);
	return -ENODEV;
}

/* In a function that has @test, and its @name in the message. */
#define KMA_TEST_THE(kind, ...)						\
	kma_test_compare(test, kind, name, (const struct kma_expect []){ __VA_ARGS__, { } })

static __cold int kma_test_slab(enum kma_test test, const char *name,
				const struct kma_test_calls *c)
{
	size_t req = sizeof(struct kma_test_object);
	bool node = test == KMA_TEST_KMALLOC_NODE || test == KMA_TEST_CACHE_ALLOC_NODE;

	switch (test) {
	case KMA_TEST_KMALLOC:
	case KMA_TEST_KMALLOC_NODE:
		return KMA_TEST_THE("tracepoint", KMA_CALLER,
				    KMA_IS("ptr", node ? c->node_object : c->object), KMA_ANY("s"),
				    KMA_IS("bytes_req", req),
				    kma_expect_bytes(req, node ? c->node_bytes : c->bytes),
				    KMA_GFP(KMA_TEST_GFP),
				    KMA_IS("node", node ? c->node : NUMA_NO_NODE));
	case KMA_TEST_KFREE:
		return KMA_TEST_THE("tracepoint", KMA_CALLER, KMA_IS("ptr", c->object));
	case KMA_TEST_CACHE_FREE:
		return KMA_TEST_THE("tracepoint", KMA_CALLER, KMA_IS("ptr", c->cached),
				    KMA_EXPECT_FREE_CACHE(c));
	default:
		return KMA_TEST_THE("tracepoint", KMA_CALLER,
				    KMA_IS("ptr", node ? c->node_cached : c->cached),
				    KMA_EXPECT_CACHE(c), KMA_EXPECT_REQ, KMA_EXPECT_BYTES(c),
				    KMA_GFP(KMA_TEST_GFP),
				    KMA_IS("node", node ? c->node : NUMA_NO_NODE));
	}
}

/* An object's copy in the first unit of its chunk is the lowest. */
static __cold unsigned long kma_test_percpu_copy(void __percpu *percpu)
{
	unsigned long lowest = ~0ul;
	int cpu;

	for_each_possible_cpu(cpu)
		lowest = min(lowest, KMA_WORD(per_cpu_ptr(percpu, cpu)));
	return lowest;
}

static __cold int kma_test_other(enum kma_test test, const char *name,
				 const struct kma_test_calls *c)
{
	switch (test) {
	case KMA_TEST_PAGE_ALLOC:
		return KMA_TEST_THE("tracepoint", KMA_IS("page", c->page),
				    KMA_IS("order", KMA_TEST_ORDER), KMA_GFP(KMA_TEST_GFP),
				    KMA_IS("migratetype", MIGRATE_UNMOVABLE));
	case KMA_TEST_PAGE_FREE:
		return KMA_TEST_THE("tracepoint", KMA_IS("page", c->page),
				    KMA_IS("order", KMA_TEST_ORDER));
	case KMA_TEST_PERCPU_ALLOC:
		return KMA_TEST_THE("tracepoint", KMA_EXPECT_PERCPU_SITE,
				    KMA_IS("reserved", false),
				    KMA_WITHIN("is_atomic", false, true),
				    KMA_IS("size", KMA_TEST_PERCPU_BYTES),
				    KMA_IS("align", sizeof(u64)),
				    KMA_IS("base_addr", kma_test_percpu_copy(c->percpu)),
				    KMA_WITHIN("off", 0, INT_MAX), KMA_IS("ptr", c->percpu),
				    KMA_EXPECT_PERCPU_BYTES, KMA_GFP(KMA_TEST_GFP));
	default:
		return KMA_TEST_THE("tracepoint",
				    KMA_IS("base_addr", kma_test_percpu_copy(c->percpu)),
				    KMA_WITHIN("off", 0, INT_MAX), KMA_IS("ptr", c->percpu));
	}
}

static __cold int kma_test_function(enum kma_test test, const char *name,
				    const struct kma_test_calls *c)
{
	switch (test) {
	case KMA_TEST_CACHE_FREE_ENTRY:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("s", c->cache),
				    KMA_IS("x", c->node_cached));
	case KMA_TEST_ALLOC_BULK:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("s", c->cache),
				    KMA_GFP(KMA_TEST_GFP), KMA_IS("size", KMA_TEST_BULK),
				    KMA_IS("p", c->bulk),
				    KMA_IS("(what it returns)", c->bulk_worked));
	case KMA_TEST_FREE_BULK:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("s", c->cache),
				    KMA_IS("size", KMA_TEST_BULK), KMA_IS("p", c->bulk));
	case KMA_TEST_PAGE_BULK:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("page_list", NULL),
				    KMA_IS("page_array", c->pages));
	case KMA_TEST_FREE_RCU:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("ptr", c->rcu));
	case KMA_TEST_ALLOC_NOLOCK:
		return KMA_TEST_THE("function", KMA_CALLER,
				    KMA_IS("size", sizeof(struct kma_test_object)),
				    KMA_IS("(what it returns)", c->nolock));
	default:
		return KMA_TEST_THE("function", KMA_CALLER, KMA_IS("object", c->nolock));
	}
}

/*
 * Return -EAGAIN if an event did not come. kmalloc_node() is kmalloc() in a kernel without NUMA,
 * and the kernel may skip a kprobe, so none of these has to come.
 */
static __cold int kma_test_judge(const struct kma_test_calls *c, bool last)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kma_test_probes); i++) {
		const struct kma_test_probe *p = &kma_test_probes[i];

		if (!p->tp)
			continue;
		err = p->of == KMA_EVENTS_SLAB ? kma_test_slab(p->test, p->event, c) :
						 kma_test_other(p->test, p->event, c);
		if (err == -ENODEV)
			return err;
		if (!err || p->test == KMA_TEST_KMALLOC_NODE ||
		    p->test == KMA_TEST_CACHE_ALLOC_NODE)
			continue;
		if (!last)
			return -EAGAIN;
		pr_err("tracepoint %s: no event for a call of the module; the module was built for another kernel\n",
		       p->event);
		return -ENODEV;
	}
	for (i = 0; i < ARRAY_SIZE(kma_test_functions); i++)
		if (kma_test_function(kma_test_functions[i].test,
				      kma_test_functions[i].function, c) == -ENODEV)
			return -ENODEV;
	return 0;
}

static __cold int kma_test_once(struct kmem_cache *cache, bool last)
{
	struct kma_test_calls c = { .cache = cache };

	memset(kma_test_seen, 0, KMA_NR_TESTS * sizeof(*kma_test_seen));
	kma_test_call(&c);
	if (c.object && c.node_object && c.cached && c.node_cached && c.page && c.percpu &&
	    c.bulk_worked && c.rcu)
		return kma_test_judge(&c, last);
	return last ? -ENOMEM : -EAGAIN;
}

static __cold void kma_test_detach(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_test_probes); i++) {
		struct kma_test_probe *p = &kma_test_probes[i];

		if (p->tp)
			tracepoint_probe_unregister(p->tp, p->probe, NULL);
		p->tp = NULL;
	}
	tracepoint_synchronize_unregister();
}

/* An event that this kernel lacks is refused when the account's probe is attached. */
static __cold int kma_test_attach(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(kma_test_probes); i++) {
		struct kma_test_probe *p = &kma_test_probes[i];
		struct tracepoint *tp = kma_probe_find(p->event);

		if (!tp || !kma_events_wanted(p->of) || kma_boot_tells(p->of))
			continue;
		err = tracepoint_probe_register(tp, p->probe, NULL);
		if (err) {
			pr_err("cannot attach a probe to tracepoint %s (error %d)\n", p->event,
			       err);
			return err;
		}
		p->tp = tp;
	}
	return 0;
}

/* Caches with a constructor are not merged with others. */
static void kma_test_ctor(void *object)
{
}

static __cold int kma_test_run(void)
{
	struct kmem_cache *cache = kmem_cache_create("kma_selftest", KMA_TEST_CACHE_BYTES, 0, 0,
						     kma_test_ctor);
	int tries, err = -EAGAIN;

	if (!cache)
		return -ENOMEM;
	for (tries = 1; err == -EAGAIN; tries++)
		err = kma_test_once(cache, tries == KMA_TEST_TRIES);
	kmem_cache_destroy(cache);
	return err;
}

__cold int kma_selftest(bool untraced)
{
	bool late = untraced && kma_events_wanted(KMA_EVENTS_SLAB) &&
		    (KMA_EVENT_IS_LATE || kma_errors_asked) && !kma_late_attach(true);
	int err;

	kma_test_seen = kcalloc(KMA_NR_TESTS, sizeof(*kma_test_seen), GFP_KERNEL);
	kma_test_task = current;
	if (untraced)
		kma_untraced_register(KMA_FOR_ACCOUNT);
	err = kma_test_seen ? kma_test_attach() ?: kma_test_run() : -ENOMEM;
	kma_test_detach();
	if (late)
		kma_late_detach();
	kma_test_task = NULL;
	kfree(kma_test_seen);
	kma_test_seen = NULL;
	return err;
}

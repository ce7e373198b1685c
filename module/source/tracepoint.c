// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracepoint.c - probes on the tracepoints of the kernel.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/utsname.h>
#include <generated/utsrelease.h>
#include <trace/events/kmem.h>
#include <trace/events/percpu.h>
#include <trace/events/vmscan.h>

#include "account/account.h"
#include "account/charge.h"
#include "account/events.h"
#include "account/group.h"
#include "account/kmem_cache.h"
#include "account/large.h"
#include "caller/sample.h"
#include "compat/events.h"
#include "compat/late.h"
#include "compat/stub.h"
#include "log/relay_event.h"
#include "source/boot.h"
#include "source/late.h"
#include "source/pages.h"
#include "source/percpu.h"
#include "source/tracepoint.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/group_now.h"
#include "watch/latency.h"

/*
 * Each event has up to two probes. kma_probe_*() is that of the account: it has the short
 * path of an event inline and, behind static keys, the path of objects in groups, a countdown
 * to the next stack, and a call to the long path (dispatch.h).
 * kma_logged_*() is that of the event log (relay_event.h). It is attached independently, so that
 * it costs the account nothing.
 *
 * The long path is out of line, so that the short path needs no stack frame. @kind may have
 * KMA_GROUP_CHARGED.
 */
static noinline __noclone void
kma_traced_alloc(void *data, unsigned long call_site, const void *ptr, size_t req, size_t bytes,
		 unsigned int kind)
{
	kma_dispatch_alloc(&(struct kma_event){
		.call_site = call_site, .ptr = ptr, .req = req, .bytes = bytes,
		.kind = kind & ~KMA_GROUP_CHARGED, .charged = kind & KMA_GROUP_CHARGED,
	});
}

static noinline __noclone void
kma_traced_free(void *data, unsigned long call_site, const void *ptr, enum kma_kind kind)
{
	kma_dispatch_free(&(struct kma_event){
		.call_site = call_site, .ptr = ptr, .kind = kind,
	});
}

/* Where the kernel calls a probe with preemption off, that is enough for the inline half. */
#ifdef KMA_PROBES_PREEMPTIBLE
#define KMA_PROBE_ATOMIC	false
#else
#define KMA_PROBE_ATOMIC	KMA_NMI_FITS
#endif

static __always_inline unsigned long kma_probe_begin(void)
{
	return KMA_PROBE_ATOMIC ? 0 : kma_account_begin();
}

static __always_inline void kma_probe_end(unsigned long flags)
{
	if (!KMA_PROBE_ATOMIC)
		kma_account_end(flags);
}

/*
 * Choose the path of an allocation while a feature is on, and complete its key for the inline half.
 * Return true if it takes the long path. The first of a large kmalloc()'s two events does not
 * count down.
 */
static __always_inline bool kma_probe_diverts(u64 *key, unsigned long call_site, const void *ptr,
					      size_t bytes, enum kma_kind kind,
					      const struct kmem_cache *cache, gfp_t gfp)
{
	if (!kma_dispatch_only_grouped()) {
		if (kma_dispatch_long() ||
		    (!(kind == KMA_KIND_KMALLOC && kma_large_skip(call_site, bytes)) &&
		     kma_sample_due()))
			return true;
		if (!kma_dispatch_grouped())
			return false;
	}
	*key = kma_group_now(call_site, (unsigned long)ptr, gfp, kind, cache);
	return false;
}

static __always_inline void kma_probe_alloc(void *data, unsigned long call_site, const void *ptr,
					    size_t req, size_t bytes, enum kma_kind kind,
					    const struct kmem_cache *cache, gfp_t gfp)
{
	unsigned int traced = 0;
	unsigned long flags;
	u64 key = call_site;

	if (kma_account_refuses())
		return;
	flags = kma_probe_begin();
	if (kma_dispatch_wanted() &&
	    kma_probe_diverts(&key, call_site, ptr, bytes, kind, cache, gfp))
		traced = kind | kma_charged(gfp, kind, cache);
	/* here, and not by the caller: before, the registers that they take are in use */
	if (!KMA_EVENT_SIZES && kind == KMA_KIND_CACHE) {
		bytes = kma_cache_bytes(cache);
		req = kma_cache_req(cache);
	}
	if (unlikely(traced))
		kma_traced_alloc(data, call_site, ptr, req, bytes, traced);
	else
		kma_account_alloc_in(data, call_site, ptr, req, bytes, kind, key);
	kma_probe_end(flags);
}

static __always_inline void kma_probe_free(void *data, unsigned long call_site,
					   const void *ptr, enum kma_kind kind)
{
	unsigned long flags;

	/* a free needs no key for groups: the class of its object has the group */
	if (kma_dispatch_long()) {
		kma_traced_free(data, call_site, ptr, kind);
		return;
	}
	if (unlikely(ZERO_OR_NULL_PTR(ptr)) || kma_account_refuses())
		return;
	flags = kma_probe_begin();
	kma_account_free_in(data, call_site, ptr);
	kma_probe_end(flags);
}

static __always_inline void
kma_logged_alloc(enum kma_kind kind, unsigned long call_site, const void *ptr, size_t req,
		 size_t bytes, gfp_t gfp, int node)
{
#ifdef CONFIG_RELAY
	if (!kma_large_skip(call_site, bytes))
		kma_relay_alloc(call_site, ptr, req, bytes, (__force u32)gfp, node,
				kma_relay_alloc_kind((enum kma_log_kind)kind, bytes));
#endif
}

static __always_inline void
kma_logged_free(enum kma_kind kind, unsigned long call_site, const void *ptr)
{
#ifdef CONFIG_RELAY
	kma_relay_free_of(call_site, ptr, (enum kma_log_kind)kind);
#endif
}

#define KMA_LOG_ALLOC_PROBE(event, proto, kind, req, bytes, gfp, node)	\
	static void kma_logged_##event(proto)				\
	{								\
		kma_logged_alloc(kind, call_site, ptr, req, bytes, gfp,	\
				 node);					\
	}

#define KMA_LOG_FREE_PROBE(event, proto, kind)				\
	static void kma_logged_##event(proto)				\
	{								\
		kma_logged_free(kind, call_site, ptr);			\
	}

#define KMA_ALLOC_PROBE(event, proto, kind, req, bytes, cache)		\
	static void kma_probe_##event(proto)				\
	{								\
		kma_probe_alloc(data, call_site, ptr, req, bytes, kind,	\
				cache, gfp_flags);			\
	}

#define KMA_FREE_PROBE(event, proto, kind)				\
	static void kma_probe_##event(proto)				\
	{								\
		kma_probe_free(data, call_site, ptr, kind);			\
	}

KMA_FREE_PROBE(kfree, KMA_KFREE_ARGS, KMA_KIND_KMALLOC)
KMA_LOG_FREE_PROBE(kfree, KMA_KFREE_ARGS, KMA_KIND_KMALLOC)

KMA_FREE_PROBE(kmem_cache_free, KMA_CACHE_FREE_ARGS, KMA_KIND_CACHE)
KMA_LOG_FREE_PROBE(kmem_cache_free, KMA_CACHE_FREE_ARGS, KMA_KIND_CACHE)

KMA_ALLOC_PROBE(kmalloc, KMA_KMALLOC_ARGS, KMA_KIND_KMALLOC, bytes_req, bytes_alloc, NULL)
KMA_LOG_ALLOC_PROBE(kmalloc, KMA_KMALLOC_ARGS, KMA_KIND_KMALLOC, bytes_req,
		    bytes_alloc, gfp_flags, KMA_EVENT_NODE)

KMA_ALLOC_PROBE(kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS, KMA_KIND_CACHE,
		KMA_CACHE_REQ, KMA_CACHE_BYTES, KMA_CACHE)
KMA_LOG_ALLOC_PROBE(kmem_cache_alloc, KMA_CACHE_ALLOC_ARGS, KMA_KIND_CACHE,
		    KMA_CACHE_REQ, KMA_CACHE_BYTES, gfp_flags, KMA_EVENT_NODE)

#ifdef KMA_NODE_EVENTS
KMA_ALLOC_PROBE(kmalloc_node, KMA_KMALLOC_NODE_ARGS, KMA_KIND_KMALLOC, bytes_req, bytes_alloc, NULL)
KMA_LOG_ALLOC_PROBE(kmalloc_node, KMA_KMALLOC_NODE_ARGS, KMA_KIND_KMALLOC,
		    bytes_req, bytes_alloc, gfp_flags, node)

KMA_ALLOC_PROBE(kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS,
		KMA_KIND_CACHE, bytes_req, bytes_alloc, KMA_CACHE)
KMA_LOG_ALLOC_PROBE(kmem_cache_alloc_node, KMA_KMALLOC_NODE_ARGS,
		    KMA_KIND_CACHE, bytes_req, bytes_alloc, gfp_flags, node)
#endif

static bool kma_probe_untraced;

/*
 * Frees to a cache are seen by the event of kmem_cache_free() or by the callback of late.h.
 * The callback passes each free to the account and to the event log, so both must use the
 * same of the two.
 */
static unsigned int kma_late_users, kma_event_users;
static bool kma_late_has[KMA_NR_AUDIENCES];

static __cold bool kma_late_get(void)
{
	bool entry = KMA_EVENT_IS_LATE && kma_probe_untraced;

	if (!entry || kma_event_users || (!kma_late_users && kma_late_attach(false)))
		return false;
	kma_late_users++;
	return true;
}

static bool kma_entry_on;

__cold void kma_probe_entry_attach(void)
{
	if (kma_entry_on || kma_late_has[KMA_FOR_ACCOUNT])
		return;
	kma_entry_on = !KMA_EVENT_IS_LATE && !kma_late_attach(false);
	if (!kma_entry_on)
		pr_warn("errors: cannot check frees by kmem_cache_free(): no callback at its entry\n");
}

__cold void kma_probe_entry_detach(void)
{
	if (kma_entry_on)
		kma_late_detach();
	kma_entry_on = false;
}

/*
 * The tracepoints of pages and of per-CPU memory are not exported, so they are searched for
 * by name. The compiler still checks each probe against its event.
 */
struct kma_search {
	const char *event;
	struct tracepoint *found;
};

static __cold void kma_search_one(struct tracepoint *tp, void *priv)
{
	struct kma_search *search = priv;

	if (!strcmp(tp->name, search->event))
		search->found = tp;
}

__cold struct tracepoint *kma_probe_find(const char *event)
{
	struct kma_search search = { .event = event };

	for_each_kernel_tracepoint(kma_search_one, &search);
	return search.found;
}

static void kma_probe_mm_page_free(KMA_PAGE_FREE_ARGS)
{
	kma_pages_free(page_to_pfn(page), order);
}

static void kma_probe_mm_page_alloc(KMA_PAGE_ALLOC_ARGS)
{
	kma_pages_alloc(page ? page_to_pfn(page) : KMA_PFN_NONE, order,
			kma_charged(gfp_flags, KMA_KIND_PAGE, NULL));
}

static void kma_probe_percpu_free_percpu(KMA_PERCPU_FREE_ARGS)
{
	kma_percpu_free(base_addr + off);
}

static void kma_probe_percpu_alloc_percpu(KMA_PERCPU_ALLOC_ARGS)
{
	kma_percpu_alloc(base_addr + off, size, kma_charged(KMA_PERCPU_GFP, KMA_KIND_PERCPU, NULL));
}

/*
 * Frees come first. An object whose allocation is seen, but not its free, would stay in the
 * account forever. An event without a tracepoint here is searched for by its name, and has
 * one probe that the account and the event log share.
 */
static struct kma_probe {
	unsigned int of;	/* the allocator: KMA_EVENTS_* */
	const char *event;
	struct tracepoint *tp;
	void *probe[KMA_NR_AUDIENCES];
	bool late;		/* something else may stand in for it: kma_late_get() */
	bool on[KMA_NR_AUDIENCES];
} kma_probes[] = {
#define KMA_PROBE_ROW(event_, ...)					\
	{ .of = KMA_EVENTS_SLAB, .event = #event_, .tp = &__tracepoint_##event_, \
	  .probe = { kma_probe_##event_, kma_logged_##event_ }, __VA_ARGS__ }
#define KMA_FOUND_ROW(of_, event_)					\
	{ .of = KMA_EVENTS_##of_, .event = #event_,			\
	  .probe = { kma_probe_##event_, kma_probe_##event_ } }
	KMA_PROBE_ROW(kfree),
	KMA_PROBE_ROW(kmem_cache_free, .late = true),
	KMA_FOUND_ROW(PAGE, mm_page_free),
	KMA_FOUND_ROW(PERCPU, percpu_free_percpu),
	KMA_PROBE_ROW(kmalloc),
	KMA_PROBE_ROW(kmem_cache_alloc),
#ifdef KMA_NODE_EVENTS
	KMA_PROBE_ROW(kmalloc_node),
	KMA_PROBE_ROW(kmem_cache_alloc_node),
#endif
	KMA_FOUND_ROW(PAGE, mm_page_alloc),
	KMA_FOUND_ROW(PERCPU, percpu_alloc_percpu),
};

/* The compiler checks each probe against its event. */
static __cold void kma_probe_check(void)
{
#define KMA_CHECK(event)						\
	check_trace_callback_type_##event(kma_probe_##event)
#define KMA_CHECK_BOTH(event)						\
	do {								\
		KMA_CHECK(event);					\
		check_trace_callback_type_##event(kma_logged_##event);	\
	} while (0)
	KMA_CHECK_BOTH(kfree);
	KMA_CHECK_BOTH(kmem_cache_free);
	KMA_CHECK(mm_page_free);
	KMA_CHECK(percpu_free_percpu);
	KMA_CHECK_BOTH(kmalloc);
	KMA_CHECK_BOTH(kmem_cache_alloc);
#ifdef KMA_NODE_EVENTS
	KMA_CHECK_BOTH(kmalloc_node);
	KMA_CHECK_BOTH(kmem_cache_alloc_node);
#endif
	KMA_CHECK(mm_page_alloc);
	KMA_CHECK(percpu_alloc_percpu);
}

/* Check whether another user has attached a probe that both share. */
static __cold bool kma_probe_shared(const struct kma_probe *p, enum kma_audience who)
{
	enum kma_audience other = who == KMA_FOR_LOG ? KMA_FOR_ACCOUNT : KMA_FOR_LOG;

	return p->on[other] && p->probe[who] == p->probe[other];
}

static __cold int kma_attach(struct kma_probe *p, enum kma_audience who)
{
	struct tracepoint *tp = p->tp ?: kma_probe_find(p->event);
	int err;

	if (p->late && kma_late_get()) {
		kma_late_has[who] = true;
		return 0;
	}
	if (kma_probe_shared(p, who))
		return 0;
	err = tp ? tracepoint_probe_register(tp, p->probe[who], NULL) : -ENOENT;
	if (p->late)
		kma_event_users += !err;
	return err;
}

static __cold void kma_detach(struct kma_probe *p, enum kma_audience who)
{
	if (p->late && kma_late_has[who]) {
		kma_late_has[who] = false;
		if (!--kma_late_users)
			kma_late_detach();
		return;
	}
	if (kma_probe_shared(p, who))
		return;
	tracepoint_probe_unregister(p->tp ?: kma_probe_find(p->event), p->probe[who], NULL);
	if (p->late)
		kma_event_users--;
}

__cold int kma_probe_register(enum kma_audience who, bool untraced)
{
	unsigned int i;

	KMA_STUB(kma_probe_register, who, untraced);
	kma_probe_check();
	kma_probe_untraced = untraced;
	for (i = 0; i < ARRAY_SIZE(kma_probes); i++) {
		int err;

		if (!kma_events_wanted(kma_probes[i].of) || kma_boot_tells(kma_probes[i].of))
			continue;
		err = kma_attach(&kma_probes[i], who);
		if (err) {
			pr_err("cannot attach a probe to tracepoint %s (error %d)\n",
			       kma_probes[i].event, err);
			kma_probe_unregister(who);
			return err;
		}
		kma_probes[i].on[who] = true;
	}
	return 0;
}

__cold void kma_probe_unregister(enum kma_audience who)
{
	unsigned int i = ARRAY_SIZE(kma_probes);

	while (i--) {
		if (kma_probes[i].on[who])
			kma_detach(&kma_probes[i], who);
		kma_probes[i].on[who] = false;
	}
	tracepoint_synchronize_unregister();
}

/* The start and the end of each kind of wait. */
static void kma_wait_mm_vmscan_direct_reclaim_begin(KMA_RECLAIM_BEGIN_ARGS)
{
	kma_latency_begin(KMA_WAIT_RECLAIM, current, order, ktime_get_ns());
}

static void kma_wait_mm_vmscan_direct_reclaim_end(KMA_RECLAIM_END_ARGS)
{
	kma_latency_end(KMA_WAIT_RECLAIM, current, ktime_get_ns());
}

/* The events of memory cgroups and of compaction depend on the configuration. */
#ifdef CONFIG_MEMCG
static void kma_wait_mm_vmscan_memcg_reclaim_begin(KMA_RECLAIM_BEGIN_ARGS)
{
	/* the event always reports order 0, whatever the size of the charge */
	kma_latency_begin(KMA_WAIT_MEMCG, current, KMA_WAIT_NO_ORDER, ktime_get_ns());
}

static void kma_wait_mm_vmscan_memcg_reclaim_end(KMA_RECLAIM_END_ARGS)
{
	kma_latency_end(KMA_WAIT_MEMCG, current, ktime_get_ns());
}
#endif

#ifdef CONFIG_COMPACTION
static __cold enum kma_wait kma_wait_compaction(void)
{
	int nid;

	for_each_online_node(nid)
		if (READ_ONCE(NODE_DATA(nid)->kcompactd) == current)
			return KMA_WAIT_KCOMPACTD;
	return KMA_WAIT_COMPACTION;
}

static void kma_wait_mm_compaction_begin(KMA_COMPACT_ARGS)
{
	kma_latency_begin(kma_wait_compaction(), current, KMA_WAIT_NO_ORDER, ktime_get_ns());
}

static void kma_wait_mm_compaction_end(KMA_COMPACT_ARGS, int status)
{
	u64 now = ktime_get_ns();

	kma_latency_end(kma_wait_compaction(), current, now);
}
#endif

static __cold void kma_wait_check(void)
{
	/* The compiler checks each probe against its event. */
#define KMA_WAIT_CHECK(event)						\
	check_trace_callback_type_##event(kma_wait_##event)
	KMA_WAIT_CHECK(mm_vmscan_direct_reclaim_begin);
	KMA_WAIT_CHECK(mm_vmscan_direct_reclaim_end);
#ifdef CONFIG_MEMCG
	KMA_WAIT_CHECK(mm_vmscan_memcg_reclaim_begin);
	KMA_WAIT_CHECK(mm_vmscan_memcg_reclaim_end);
#endif
#ifdef CONFIG_COMPACTION
	KMA_WAIT_CHECK(mm_compaction_begin);
	KMA_WAIT_CHECK(mm_compaction_end);
#endif
}

/* The probes of ends come first, so that the end of each wait that is seen to start is seen. */
static struct {
	unsigned int kinds;
	const char *event;
	void *probe;
	bool on;
} kma_latency_probes[] = {
#define KMA_WAIT_ROW(kinds, event) { kinds, #event, kma_wait_##event }
	KMA_WAIT_ROW(1u << KMA_WAIT_RECLAIM, mm_vmscan_direct_reclaim_end),
	KMA_WAIT_ROW(1u << KMA_WAIT_RECLAIM, mm_vmscan_direct_reclaim_begin),
#ifdef CONFIG_MEMCG
	KMA_WAIT_ROW(1u << KMA_WAIT_MEMCG, mm_vmscan_memcg_reclaim_end),
	KMA_WAIT_ROW(1u << KMA_WAIT_MEMCG, mm_vmscan_memcg_reclaim_begin),
#endif
#ifdef CONFIG_COMPACTION
	KMA_WAIT_ROW(1u << KMA_WAIT_COMPACTION | 1u << KMA_WAIT_KCOMPACTD, mm_compaction_end),
	KMA_WAIT_ROW(1u << KMA_WAIT_COMPACTION | 1u << KMA_WAIT_KCOMPACTD, mm_compaction_begin),
#endif
};

__cold unsigned int kma_probe_latency(void)
{
	unsigned int i, kinds = 0;

	for (i = 0; i < ARRAY_SIZE(kma_latency_probes); i++)
		kinds |= kma_latency_probes[i].kinds;
	return kinds;
}

/* The self-test cannot make these events: only the headers say what their arguments are. */
static __cold bool kma_probe_built_for(const char *what)
{
	if (!strcmp(init_utsname()->release, UTS_RELEASE))
		return true;
	pr_err("%s: not available, because the module was built for %s\n", what, UTS_RELEASE);
	return false;
}

__cold int kma_probe_latency_register(void)
{
	unsigned int i;

	kma_wait_check();
	if (!kma_probe_built_for("latency"))
		return -EOPNOTSUPP;
	for (i = 0; i < ARRAY_SIZE(kma_latency_probes); i++) {
		struct tracepoint *tp = kma_probe_find(kma_latency_probes[i].event);
		int err = -ENOENT;

		if (tp)
			err = tracepoint_probe_register(tp, kma_latency_probes[i].probe, NULL);
		if (err) {
			pr_err("cannot attach a probe to tracepoint %s (error %d)\n",
			       kma_latency_probes[i].event, err);
			kma_probe_latency_unregister();
			return err;
		}
		kma_latency_probes[i].on = true;
	}
	return 0;
}

__cold void kma_probe_latency_unregister(void)
{
	unsigned int i = ARRAY_SIZE(kma_latency_probes);

	while (i--) {
		if (kma_latency_probes[i].on)
			tracepoint_probe_unregister(kma_probe_find(kma_latency_probes[i].event),
						    kma_latency_probes[i].probe, NULL);
		kma_latency_probes[i].on = false;
	}
	tracepoint_synchronize_unregister();
}

static void (*kma_oom_report_victim)(struct task_struct *victim);

static __cold void kma_probe_mark_victim(KMA_OOM_VICTIM_ARGS)
{
	rcu_read_lock();
	kma_oom_report_victim(KMA_OOM_VICTIM);
	rcu_read_unlock();
}

__cold int kma_probe_oom_register(void (*report)(struct task_struct *victim))
{
	struct tracepoint *tp = kma_probe_find("mark_victim");

	check_trace_callback_type_mark_victim(kma_probe_mark_victim);
	if (!kma_probe_built_for("reports at OOM kills"))
		return -EOPNOTSUPP;
	kma_oom_report_victim = report;
	return tp ? tracepoint_probe_register(tp, kma_probe_mark_victim, NULL) : -ENOENT;
}

__cold void kma_probe_oom_unregister(void)
{
	tracepoint_probe_unregister(kma_probe_find("mark_victim"), kma_probe_mark_victim, NULL);
	tracepoint_synchronize_unregister();
}

__cold void kma_probe_synchronize(void)
{
	tracepoint_synchronize_unregister();
	/* Kprobes run with preemption off; on 7.2 the call above does not wait for them. */
	synchronize_rcu();
}

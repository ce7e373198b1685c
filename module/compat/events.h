/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - arguments of the probes on the kernel's trace events.
 *
 * For tracepoint.c and selftest.c. A wrong list does not compile, because the register_trace_*()
 * functions are typed. KMA_CACHE_REQ and KMA_CACHE_BYTES need account/kmem_cache.h.
 */
#ifndef KMA_COMPAT_EVENTS_H
#define KMA_COMPAT_EVENTS_H

#include <linux/numa.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/types.h>

/* Private to mm/, and not declared by the header of its events. */
struct compact_control;
#include <trace/events/compaction.h>
#include <trace/events/oom.h>

#define KMA_KFREE_ARGS							\
	void *data, unsigned long call_site, const void *ptr

#ifdef KMA_NODE_EVENTS

/*
 * Before v6.1 (commit 11e9734bcb6a) allocations on a node have events of their own, and
 * the event contains the sizes of a cache's objects (until commit 2c1d697fb8ba). v6.0 has
 * the cache in addition (commit b347aa7b5747).
 */

#ifdef KMA_NO_CACHE_ARG
#define KMA_EVENT_CACHE
#define KMA_CACHE	NULL
#else
#define KMA_EVENT_CACHE	struct kmem_cache *s,
#define KMA_CACHE	s
#endif

#define KMA_KMALLOC_ARGS						\
	void *data, unsigned long call_site, const void *ptr,		\
	KMA_EVENT_CACHE size_t bytes_req, size_t bytes_alloc,		\
	gfp_t gfp_flags
#define KMA_CACHE_ALLOC_ARGS	KMA_KMALLOC_ARGS
#define KMA_KMALLOC_NODE_ARGS	KMA_KMALLOC_ARGS, int node
#define KMA_EVENT_NODE		NUMA_NO_NODE
#define KMA_CACHE_REQ		bytes_req
#define KMA_CACHE_BYTES		bytes_alloc
#define KMA_EVENT_SIZES		true	/* in the event of a cache */

#else

#define KMA_KMALLOC_ARGS						\
	void *data, unsigned long call_site, const void *ptr,		\
	size_t bytes_req, size_t bytes_alloc, gfp_t gfp_flags, int node
#define KMA_CACHE_ALLOC_ARGS						\
	void *data, unsigned long call_site, const void *ptr,		\
	struct kmem_cache *s, gfp_t gfp_flags, int node
#define KMA_EVENT_NODE		node
#define KMA_CACHE		s
#define KMA_CACHE_REQ		kma_cache_req(s)
#define KMA_CACHE_BYTES		kma_cache_bytes(s)
#define KMA_EVENT_SIZES		false

#endif

#if !defined(KMA_NODE_EVENTS)
#define KMA_CACHE_FREE_ARGS						\
	void *data, unsigned long call_site, const void *ptr,		\
	const struct kmem_cache *s
#elif defined(KMA_FREE_NAME)
/* From v5.12 (commit 3544de8ee6e4) to v6.0 the event has the name of the cache. */
#define KMA_CACHE_FREE_ARGS						\
	void *data, unsigned long call_site, const void *ptr,		\
	const char *name
#else
#define KMA_CACHE_FREE_ARGS						\
	void *data, unsigned long call_site, const void *ptr
#endif

#define KMA_PAGE_ALLOC_ARGS						\
	void *data, struct page *page, unsigned int order,		\
	gfp_t gfp_flags, int migratetype
#define KMA_PAGE_FREE_ARGS						\
	void *data, struct page *page, unsigned int order

#ifdef KMA_PERCPU_NO_SITE
/* Before v5.19 (commit f67bed134a05) the event has no caller, no total size and no flags. */
#define KMA_PERCPU_GFP		GFP_KERNEL
#define KMA_PERCPU_ALLOC_ARGS						\
	void *data, bool reserved, bool is_atomic, size_t size,		\
	size_t align, void *base_addr, int off, void __percpu *ptr
#else
#define KMA_PERCPU_GFP		gfp_flags
#define KMA_PERCPU_ALLOC_ARGS						\
	void *data, unsigned long call_site, bool reserved,		\
	bool is_atomic, size_t size, size_t align, void *base_addr,	\
	int off, void __percpu *ptr, size_t bytes_alloc, gfp_t gfp_flags
#endif
#define KMA_PERCPU_FREE_ARGS						\
	void *data, void *base_addr, int off, void __percpu *ptr

#ifdef KMA_RECLAIM_BEGIN_PLAIN
#define KMA_RECLAIM_BEGIN_ARGS						\
	void *data, int order, gfp_t gfp_flags
#else
#define KMA_RECLAIM_BEGIN_ARGS						\
	void *data, gfp_t gfp_flags, int order, struct mem_cgroup *memcg
#endif
#ifdef KMA_RECLAIM_END_PLAIN
#define KMA_RECLAIM_END_ARGS						\
	void *data, unsigned long nr_reclaimed
#else
#define KMA_RECLAIM_END_ARGS						\
	void *data, unsigned long nr_reclaimed, struct mem_cgroup *memcg
#endif

#ifdef KMA_COMPACT_PFNS
/* Before v5.18 (commit abd4349ff9b8) the events have page frame numbers. */
#define KMA_COMPACT_ARGS						\
	void *data, unsigned long zone_start, unsigned long migrate_pfn, \
	unsigned long free_pfn, unsigned long zone_end, bool sync
#else
#define KMA_COMPACT_ARGS						\
	void *data, struct compact_control *cc,				\
	unsigned long zone_start, unsigned long zone_end, bool sync
#endif

#ifdef KMA_OOM_VICTIM_PID
/* In older kernels the event has only the number of the process. */
#define KMA_OOM_VICTIM_ARGS						\
	void *data, int pid
#define KMA_OOM_VICTIM							\
	pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID)
#else
#define KMA_OOM_VICTIM_ARGS						\
	void *data, struct task_struct *task, uid_t uid
#define KMA_OOM_VICTIM		task
#endif

#endif /* KMA_COMPAT_EVENTS_H */

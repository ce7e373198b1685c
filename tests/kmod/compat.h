/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - what older kernels lack of the newest, as far as the tests' modules
 * go.
 *
 * See Documentation/design/compat.rst.
 */
#ifndef KMA_KNOWN_COMPAT_H
#define KMA_KNOWN_COMPAT_H

#include <linux/gfp.h>
#include <linux/hrtimer.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>

/* v6.17, commit 930c2ea566af; before, a workqueue without WQ_UNBOUND is per CPU */
#ifdef KMA_HAS_WQ_PERCPU
#define KMA_WQ_PERCPU	WQ_PERCPU
#else
#define KMA_WQ_PERCPU	0
#endif

/* not in 5.10 */
#ifndef in_hardirq
#define in_hardirq()	in_irq()
#endif

/* v6.13, commit 908a1d775422; Kbuild looks for it */
#ifdef KMA_NO_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*fn)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
}
#endif

/*
 * The event of a kmalloc(), for who includes trace/events/kmem.h: v6.1
 * has added the node (commit 11e9734bcb6a), v6.0 alone has the cache.
 */
#if !defined(KMA_NODE_EVENTS)
#define known_trace_kmalloc(site, ptr, req, bytes) \
	trace_kmalloc(site, ptr, req, bytes, GFP_ATOMIC, NUMA_NO_NODE)
#elif defined(KMA_NO_CACHE_ARG)
#define known_trace_kmalloc(site, ptr, req, bytes) \
	trace_kmalloc(site, ptr, req, bytes, GFP_ATOMIC)
#else
#define known_trace_kmalloc(site, ptr, req, bytes) \
	trace_kmalloc(site, ptr, NULL, req, bytes, GFP_ATOMIC)
#endif

/*
 * alloc_pages_bulk() took the place of alloc_pages_bulk_array() in v6.14 (commit
 * 6bf9b5b40af3), and neither is in 5.10; Kbuild looks for them
 */
#if defined(KMA_NO_PAGE_BULK)
static __always_inline unsigned long
alloc_pages_bulk(gfp_t gfp, unsigned long n, struct page **array)
{
	unsigned long i;

	for (i = 0; i < n; i++)
		if (!array[i])
			array[i] = alloc_page(gfp);
	return n;
}
#elif defined(KMA_PAGE_BULK_ARRAY)
#define alloc_pages_bulk	alloc_pages_bulk_array
#endif

#endif /* KMA_KNOWN_COMPAT_H */

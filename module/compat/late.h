/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.h - when the event of kmem_cache_free() comes, and the arguments of an ftrace
 * callback.
 *
 * For source/late.c, source/tracepoint.c and source/selftest.c.
 */
#ifndef KMA_COMPAT_LATE_H
#define KMA_COMPAT_LATE_H

#include <linux/ftrace.h>

#ifdef KMA_NODE_EVENTS
/*
 * Up to v5.15 the event of kmem_cache_free() comes after the object is free (changed by
 * commit 9a543f007b70 ("mm: emit the "free" trace report before freeing memory in
 * kmem_cache_free()")). If another CPU or an interrupt allocates the object in between, the
 * account has that allocation first, and the late event would remove it. So the callback
 * always replaces the event here.
 *
 * Headers do not show the order of two statements. The order is certain for kernels with
 * the events of v6.1. All kernels with older events have the callback, which is right for
 * both orders.
 */
#define KMA_EVENT_IS_LATE	true
#else
#define KMA_EVENT_IS_LATE	false
#endif

#ifdef KMA_FTRACE_REGS
/* ftrace guards a callback against recursion only on request, and this one needs no guard. */
#define KMA_LATE_REGS		struct ftrace_regs *regs
#define kma_late_regs(regs)	ftrace_get_regs(regs)
#define KMA_LATE_ALONE		0
#else
/*
 * Before v5.11 (commit d19ad0775dcd ("ftrace: Have the callbacks receive a struct
 * ftrace_regs instead of pt_regs")) ftrace guards a callback unless a flag says that
 * the callback is safe.
 */
#define KMA_LATE_REGS		struct pt_regs *regs
#define kma_late_regs(regs)	(regs)
#define KMA_LATE_ALONE		FTRACE_OPS_FL_RECURSION_SAFE
#endif

#endif /* KMA_COMPAT_LATE_H */

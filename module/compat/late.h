/* SPDX-License-Identifier: GPL-2.0 */
/*
 * late.h - kmem_cache_free() at its entry, where its event comes too late.
 *
 * Up to v5.15 the event of kmem_cache_free() comes when the object is free
 * already (commit 9a543f007b70 ("mm: emit the "free" trace report before
 * freeing memory in kmem_cache_free()") turned it round). Whoever is given the
 * object in between, on another CPU or in an interrupt, has its allocation
 * booked first, and the late event would take that out of the account.
 *
 * An ftrace callback on the function's first instruction stands in for the
 * event. A kprobe would do as well, but it is skipped, and counted as missed, when
 * an interrupt comes while another kprobe is handled; this is never skipped, and
 * costs less (Documentation/design/compat.rst has the figures).
 *
 * With parameter errors=1 it does so on every kernel: which cache the caller named
 * is known at the entry alone (errors.h). A kernel that then refuses the free, as
 * 7.2 does if it is the wrong cache, leaves an object that is booked as freed.
 *
 * Headers do not tell the order of two statements. It is certain for kernels with
 * the events of v6.1, so all with older ones have the callback, which is right
 * in either case.
 */
#ifndef KMA_COMPAT_LATE_H
#define KMA_COMPAT_LATE_H

#include <linux/types.h>

#ifdef KMA_NODE_EVENTS
#define KMA_EVENT_IS_LATE	true
#else
#define KMA_EVENT_IS_LATE	false
#endif

/**
 * kma_late_attach() - book frees at the entry of kmem_cache_free()
 *
 * Context: process, may sleep.
 * Return: 0, or why it cannot be done: then the event must do. A line in the
 * log says so.
 */
int kma_late_attach(void);

/**
 * kma_late_detach() - no longer, and wait until no callback runs
 *
 * Context: process, may sleep.
 * Return: false if nothing was attached: it is the event that has to go.
 */
bool kma_late_detach(void);

#endif /* KMA_COMPAT_LATE_H */

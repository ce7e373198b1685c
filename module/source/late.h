/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.h - see kmem_cache_free() at its entry.
 *
 * An ftrace callback on the function's first instruction. Only the entry knows the cache
 * that the caller named, which the switch errors asks for (errors.h): the callback checks
 * the free, and its event counts it. A kernel that refuses the free, as 7.2 does for the
 * wrong cache, has no event: the object stays in the account. Where the event is late
 * (compat/late.h), the callback replaces it, and counts and checks the free.
 *
 * A kprobe would do as well, but the kernel skips it, and counts it as missed, when an
 * interrupt comes while another kprobe is handled. The callback is never skipped and costs
 * less (Documentation/design/compat.rst has the figures).
 */
#ifndef KMA_LATE_H
#define KMA_LATE_H

#include <linux/types.h>

/**
 * kma_late_attach() - attach the callback to the entry of kmem_cache_free()
 * @quiet: write no line to the kernel log
 *
 * Context: process, may sleep.
 * Return: 0; or a negative error, with a line in the kernel log: the caller then uses the
 * event alone.
 */
int kma_late_attach(bool quiet);

/*
 * Detach the callback and wait until it does not run.
 * Context: process, may sleep.
 * Return: false if it was not attached: the caller then detaches the event.
 */
bool kma_late_detach(void);

#endif /* KMA_LATE_H */

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

/*
 * Returns 0; or a negative error, with a line in the kernel log unless @quiet: the caller then uses
 * the event alone. Context: process, may sleep.
 */
int kma_late_attach(bool quiet);

/*
 * Detach the callback and wait until it does not run. False if it was not attached: the caller then
 * detaches the event. Context: process, may sleep.
 */
bool kma_late_detach(void);

#endif /* KMA_LATE_H */

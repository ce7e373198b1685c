/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * large.h - a large kmalloc() that makes two events.
 *
 * In newer kernels __kmalloc_noprof() gets an object of more than KMALLOC_MAX_CACHE_SIZE
 * bytes from another function of the allocator. That function makes the first event, whose
 * call site lies in __kmalloc_noprof(). Then __kmalloc_noprof() makes the second event, with
 * the call site of its caller. KMA_LARGE_FUNCTIONS (compat.h) has all functions that do so.
 * Only the second event is counted. The first is skipped because its call site lies in one
 * of these functions, whose sizes are looked up once.
 *
 * Until then (in the first moments of a boot), or if a kernel has no symbols, the account
 * counts both, and the second takes the first back (account.c).
 *
 * Locking: none. The ranges are written before the account is on, and do not change.
 */
#ifndef KMA_LARGE_H
#define KMA_LARGE_H

#include <linux/slab.h>
#include <linux/types.h>

/* Are the functions known, so that no first event is counted? */
extern bool kma_large_known;

/*
 * Context: process, before the account is on. An event during the call is compared with the
 * functions that are found so far.
 */
void kma_large_init(void);

bool kma_large_in_allocator(unsigned long call_site);

/* True for the first of two events, which the caller skips. Context: any. */
static __always_inline bool kma_large_skip(unsigned long call_site, size_t bytes)
{
	return KMA_LARGE_TWICE && unlikely(bytes > KMALLOC_MAX_CACHE_SIZE) &&
	       kma_large_in_allocator(call_site);
}

#endif /* KMA_LARGE_H */

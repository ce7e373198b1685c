/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * key32.h - keys in the live map of 32-bit kernels, for pages and per-CPU objects (key.h).
 *
 * Objects have addresses from PAGE_OFFSET on. Lower addresses belong to user space, so the kernel
 * has no objects there, and these addresses can be keys:
 *
 *	0x20000000	a page: its number * 8, up to 24 bits
 *	0x40000000	a per-CPU object: its distance from PAGE_OFFSET * 2
 *	PAGE_OFFSET	an object
 *
 * Nearly all kernels have a PAGE_OFFSET of 3 GiB or more. Then each address of the kernel, in low
 * memory or in the vmalloc range, has a key. A page above 64 GiB would have no key, so
 * kma_key_fits() fails on a machine with such pages.
 *
 * A page in high memory has a key, but no address.
 */
#ifndef KMA_KEY32_H
#define KMA_KEY32_H

#include <linux/types.h>

#include "account/direct_map.h"

#define KMA_KEY_NEEDS		"64 GiB, and PAGE_OFFSET to be 3 GiB"
#define KMA_KEY_PAGES		0x20000000ul
#define KMA_KEY_PAGE_BITS	24
#define KMA_KEY_PERCPU		0x40000000ul

static inline bool kma_key_fits(void)
{
	return PAGE_OFFSET >= 0xc0000000ul && !(kma_direct_end >> KMA_KEY_PAGE_BITS);
}

static inline enum kma_thing kma_key_thing(unsigned long key)
{
	if (key >= PAGE_OFFSET)
		return KMA_THING_OBJECT;
	return key >= KMA_KEY_PERCPU ? KMA_THING_PERCPU : KMA_THING_PAGE;
}

static inline unsigned long kma_key_page(unsigned long pfn)
{
	return KMA_KEY_PAGES + (pfn << KMA_KEY_SHIFT);
}

static inline unsigned long kma_key_pfn(unsigned long key)
{
	return (key - KMA_KEY_PAGES) >> KMA_KEY_SHIFT;
}

static inline bool kma_key_percpu(const void *addr, unsigned long *key)
{
	unsigned long at = (unsigned long)addr - PAGE_OFFSET;

	*key = KMA_KEY_PERCPU + (at >> KMA_KEY_ALIGN_SHIFT << KMA_KEY_SHIFT);
	return (unsigned long)addr >= PAGE_OFFSET;
}

static inline unsigned long kma_key_address(unsigned long key)
{
	switch (kma_key_thing(key)) {
	case KMA_THING_PAGE:
		return kma_direct_page(kma_key_pfn(key));
	case KMA_THING_PERCPU:
		return PAGE_OFFSET +
		       ((key - KMA_KEY_PERCPU) >> KMA_KEY_SHIFT << KMA_KEY_ALIGN_SHIFT);
	default:
		return key;
	}
}

#endif /* KMA_KEY32_H */

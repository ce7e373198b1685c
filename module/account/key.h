/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * key.h - keys in the live map for pages and per-CPU objects.
 *
 * The key of a slab object in the live map is its address. A page has the same address as the
 * first object in it, and a per-CPU object has several addresses. Their keys are therefore
 * addresses behind the direct map. The map has room for 128 TiB from kma_direct_base on
 * (direct_map.h), so the kernel's memory must be in the first half. The bits of a key's distance
 * from kma_direct_base are:
 *
 *	bit 46	45	44
 *	    0	     address	an object
 *	    1	0	0	a page: its number in bits [43:3]
 *	    1	0	1	per-CPU, the first copy in the direct map:
 *				that distance / 4 in bits [43:3]
 *	    1	1		per-CPU, the first copy in vmalloc's range: distance from
 *				16 TiB before its end / 4 in bits [44:3]
 *
 * The address of a per-CPU object is that of its copy in the chunk's first unit.
 * It is aligned to 4, and the map drops 3 bits, so a quarter of the distance is stored. An object
 * that does not fit into these bits (a first chunk above 8 TiB, a chunk more than 16 TiB below
 * the end of vmalloc's range) has no key, and the caller counts it. So no two things
 * have the same key.
 *
 * On arm64 such a key may be an address above the direct map, in vmalloc's range. It is only used
 * as a number.
 *
 * A 32-bit kernel has other keys (key32.h).
 */
#ifndef KMA_KEY_H
#define KMA_KEY_H

#include <linux/compiler.h>
#include <linux/mm.h>
#include <linux/types.h>

#include "account/direct_map.h"

#define KMA_KEY_SHIFT		3	/* as KMA_PTR_SHIFT */
#define KMA_KEY_ALIGN_SHIFT	2	/* of per-CPU objects */

/* What a key of the live map stands for. */
enum kma_thing {
	KMA_THING_OBJECT,	/* of the slab allocator */
	KMA_THING_PAGE,		/* a block of pages */
	KMA_THING_PERCPU,
	KMA_NR_THINGS,
};

#ifdef CONFIG_64BIT
#define KMA_KEY_NEEDS		"64 TiB"
#define KMA_KEY_BIT		46	/* no object */
#define KMA_KEY_VMALLOC_BIT	45
#define KMA_KEY_PERCPU_BIT	44

/* Where keys of vmalloc's range begin. Its end is its last byte, or the byte behind that. */
#define KMA_KEY_VMALLOC_BASE	(((unsigned long)VMALLOC_END | 3) + 1 - BIT(44))

/* Does memory end below the first key? It does on x86-64 with four levels of page tables. */
static inline bool kma_key_fits(void)
{
	return kma_direct_fits(KMA_KEY_BIT);
}

static inline unsigned long kma_key_distance(unsigned long addr)
{
	return addr - kma_direct_base;
}

static inline enum kma_thing kma_key_thing(unsigned long key)
{
	unsigned long at = kma_key_distance(key);

	if (!(at & BIT(KMA_KEY_BIT)))
		return KMA_THING_OBJECT;
	if (at & (BIT(KMA_KEY_VMALLOC_BIT) | BIT(KMA_KEY_PERCPU_BIT)))
		return KMA_THING_PERCPU;
	return KMA_THING_PAGE;
}

/* From the page's number, if kma_key_fits(). */
static inline unsigned long kma_key_page(unsigned long pfn)
{
	return kma_direct_base + BIT(KMA_KEY_BIT) + (pfn << KMA_KEY_SHIFT);
}

static inline unsigned long kma_key_pfn(unsigned long key)
{
	return (kma_key_distance(key) - BIT(KMA_KEY_BIT)) >> KMA_KEY_SHIFT;
}

/*
 * Set @key to that of a per-CPU object, from the address of its copy in the chunk's first unit.
 * False if it has none.
 */
static inline bool kma_key_percpu(const void *addr, unsigned long *key)
{
	unsigned long bits = BIT(KMA_KEY_BIT), at;
	unsigned int room = KMA_KEY_PERCPU_BIT;

	if (is_vmalloc_addr(addr)) {
		at = (unsigned long)addr - KMA_KEY_VMALLOC_BASE;
		bits |= BIT(KMA_KEY_VMALLOC_BIT);
		room = KMA_KEY_VMALLOC_BIT;
	} else {
		at = kma_key_distance((unsigned long)addr);
		bits |= BIT(KMA_KEY_PERCPU_BIT);
	}
	at = at >> KMA_KEY_ALIGN_SHIFT << KMA_KEY_SHIFT;
	*key = kma_direct_base + (bits | at);
	return !(at >> room);
}

/*
 * The address in memory of what a key stands for: of a page in the direct map, 0 if it is in high
 * memory; of a per-CPU object's copy in the chunk's first unit; of an object, @key itself.
 */
static inline unsigned long kma_key_address(unsigned long key)
{
	unsigned long at = kma_key_distance(key);

	switch (kma_key_thing(key)) {
	case KMA_THING_PAGE:
		return kma_direct_page(kma_key_pfn(key));
	case KMA_THING_PERCPU:
		if (!(at & BIT(KMA_KEY_VMALLOC_BIT)))
			return kma_direct_base +
			       ((at & (BIT(KMA_KEY_PERCPU_BIT) - 1)) >>
				KMA_KEY_SHIFT << KMA_KEY_ALIGN_SHIFT);
		at &= BIT(KMA_KEY_VMALLOC_BIT) - 1;
		return KMA_KEY_VMALLOC_BASE + (at >> KMA_KEY_SHIFT << KMA_KEY_ALIGN_SHIFT);
	default:
		return key;
	}
}

#else
#include "account/key32.h"
#endif /* CONFIG_64BIT */

static inline bool kma_key_is_object(unsigned long key)
{
	return kma_key_thing(key) == KMA_THING_OBJECT;
}

#endif /* KMA_KEY_H */

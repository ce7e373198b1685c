/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * direct_map.h - the range of addresses at which the kernel maps all memory: the direct map.
 *
 * The live map (live.h) stores only a part of an object's address. It computes the rest from the
 * distance between the address and a base, below which no memory is mapped. On x86-64 the direct
 * map begins at PAGE_OFFSET. On arm64 the direct map is as large as the range of the live map, and
 * memory does not always begin at PAGE_OFFSET: with KASLR it begins anywhere in the direct map,
 * and far above PAGE_OFFSET on a CPU with 48-bit addresses and a kernel for 52-bit addresses.
 *
 * Memory that is added later may lie below the memory that was there
 * before, by at most KMA_DIRECT_BELOW.
 *
 * On a 32-bit CPU the live map stores whole addresses, and the base is PAGE_OFFSET. The pages
 * above low memory are high memory and have no address (kma_direct_page()).
 */
#ifndef KMA_DIRECT_MAP_H
#define KMA_DIRECT_MAP_H

#include <linux/mm.h>
#include <linux/types.h>

#define KMA_DIRECT_BELOW	BIT(40)		/* bytes */

extern unsigned long kma_direct_base;
#ifndef CONFIG_64BIT
extern unsigned long kma_direct_end;	/* page frame number after all memory */
#endif

/*
 * Find the base. kma_live_init() calls this, and so does code that needs the base earlier. Context:
 * process.
 */
void kma_direct_init(void);

/* Does all current memory lie less than 2^@bits bytes above the base? Context: process. */
static inline bool kma_direct_fits(unsigned int bits)
{
#ifdef CONFIG_64BIT
	return (unsigned long)high_memory - 1 - kma_direct_base < BIT(bits);
#else
	return true;
#endif
}

/* The address of a page in the direct map; 0 for one of high memory, which is not in it. */
static inline unsigned long kma_direct_page(unsigned long pfn)
{
#ifndef CONFIG_64BIT
	if (pfn > __pa((unsigned long)high_memory - 1) >> PAGE_SHIFT)
		return 0;
#endif
	return (unsigned long)__va((phys_addr_t)pfn << PAGE_SHIFT);
}

#endif /* KMA_DIRECT_MAP_H */

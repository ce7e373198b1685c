/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * direct_map.h - where the kernel maps all its memory: addresses of objects.
 *
 * The live map (live.h) keeps less than a whole address. It is got back from how
 * far it lies above a base, below which there is no memory. x86-64's memory
 * begins with PAGE_OFFSET. arm64's range is as large as the map's, and with KASLR
 * its memory begins anywhere in there, or at its middle, on a CPU with 48 bits and
 * a kernel for 52.
 *
 * Memory that is added while the module is loaded may lie below what was there
 * before by KMA_DIRECT_BELOW at most.
 *
 * On a 32-bit CPU the map keeps whole addresses. The base is PAGE_OFFSET, and behind the low
 * memory comes high memory, whose pages have no address (kma_direct_page()).
 *
 * Never done here: no memory is touched.
 */
#ifndef KMA_DIRECT_MAP_H
#define KMA_DIRECT_MAP_H

#include <linux/mm.h>
#include <linux/types.h>

#define KMA_DIRECT_BELOW	BIT(40)		/* bytes */

extern unsigned long kma_direct_base;
#ifndef CONFIG_64BIT
extern unsigned long kma_direct_end;	/* number of the page behind all memory */
#endif

/**
 * kma_direct_init() - find the base
 *
 * kma_live_init() calls this function. Code that needs the base earlier calls it as well.
 *
 * Context: process.
 */
void kma_direct_init(void);

/**
 * kma_direct_fits() - test if a number of bits is enough for all addresses
 * @bits: number of bits
 *
 * Context: process.
 * Return: true if all memory there is lies less than 2^@bits above the base.
 */
static inline bool kma_direct_fits(unsigned int bits)
{
#ifdef CONFIG_64BIT
	return (unsigned long)high_memory - 1 - kma_direct_base < BIT(bits);
#else
	return true;
#endif
}

/**
 * kma_direct_page() - get the address of a page
 * @pfn: page frame number
 *
 * Context: any.
 * Return: address of the page in the direct map; 0 for a page of high memory, which the
 * direct map does not contain.
 */
static inline unsigned long kma_direct_page(unsigned long pfn)
{
#ifndef CONFIG_64BIT
	if (pfn > __pa((unsigned long)high_memory - 1) >> PAGE_SHIFT)
		return 0;
#endif
	return (unsigned long)__va((phys_addr_t)pfn << PAGE_SHIFT);
}

#endif /* KMA_DIRECT_MAP_H */

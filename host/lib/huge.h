/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * huge.h - large arrays in huge pages. The page faults of an array that is written and read once
 * take longer than the work on it, and reading it in another order misses the TLB at each step.
 * Huge pages reduce both. The kernel may ignore the request: the memory then consists of ordinary
 * pages.
 */
#ifndef KMA_LIB_HUGE_H
#define KMA_LIB_HUGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define KMA_HUGE_PAGE (2UL << 20)

/**
 * kma_huge_alloc() - allocate memory that may become large
 * @size: bytes; below KMA_HUGE_PAGE the function uses malloc(), above it rounds up to huge pages
 *
 * Return: memory for free() and realloc(), not zeroed; NULL if the allocation fails.
 */
static inline void *kma_huge_alloc(size_t size)
{
	void *mem;

	if (size < KMA_HUGE_PAGE || size > SIZE_MAX - KMA_HUGE_PAGE)
		return malloc(size);
	size = (size + KMA_HUGE_PAGE - 1) & ~(KMA_HUGE_PAGE - 1);
	mem = aligned_alloc(KMA_HUGE_PAGE, size);
	if (mem)
		madvise(mem, size, MADV_HUGEPAGE);
	return mem;
}

#endif /* KMA_LIB_HUGE_H */

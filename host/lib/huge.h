/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * huge.h - large arrays in huge pages. What is written once and read once takes less
 * time than its page faults, and what is then read in another order misses the TLB at
 * each step. It is advice: where the kernel has no huge page to give, nothing changes.
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
 * @size: bytes; below the size of a huge page the function uses malloc()
 *
 * Return: memory for free() and realloc(), NULL if the allocation fails.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - one allocation or one free of a log. Readers of logs convert their input to events and
 * pass them to the ledger in batches.
 *
 * Only the member ptr identifies an object. Logs identify pages by a page frame number and per-CPU
 * memory by an offset, and both may equal the address of a slab object. kma_ptr_page() and
 * kma_ptr_percpu() therefore map them to values that slab objects do not use: a slab address starts
 * with a byte 0xff, or with 0 on 32-bit kernels and if the log has hashed addresses.
 */
#ifndef KMA_MODEL_EVENT_H
#define KMA_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "site.h"

/* 32 bytes: two to a cache line. */
struct kma_event {
	uint64_t ptr; /* address of the object, hashed or not; 0: failed allocation, free of NULL */
	uint64_t alloc; /* bytes that the allocator reserved; of a free of pages: bytes, or 0 */
	uint64_t req;	/* requested bytes; 0 for a free */
	uint32_t site;	/* number of the call site, from kma_intern() */
	uint16_t cpu;	/* on which the event happened */
	uint8_t kind;	/* enum kma_kind of the function that was called */
	bool is_free : 1;
	bool quiet : 1; /* ignore a free of an unknown object, or an allocation of a known one */
	bool twice : 1; /* may be one of two events of a large kmalloc(): KMA_LOG_LARGE */
};

/*
 * Largest value of ptr that is not an object: NULL and ZERO_SIZE_PTR. Freeing these frees nothing.
 */
#define KMA_PTR_NONE 0x10

/* Page size by which blocks of pages are addressed: ftrace logs do not state that of the kernel. */
#define KMA_PAGE_SHIFT 12

/*
 * The ptr of a block of pages has 0x1 as its highest four bits. @pfn is its physical address,
 * divided by 1 << KMA_PAGE_SHIFT.
 */
static inline uint64_t kma_ptr_page(uint64_t pfn)
{
	return 1UL << 60 | (pfn << KMA_PAGE_SHIFT & ((1UL << 60) - 1));
}

/*
 * The ptr of per-CPU memory has an inverted pattern in its highest byte. @ptr is the offset or
 * address that the log has.
 */
static inline uint64_t kma_ptr_percpu(uint64_t ptr)
{
	return ptr ^ 0x5aUL << 56;
}

#endif /* KMA_MODEL_EVENT_H */

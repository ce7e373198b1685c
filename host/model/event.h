/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * event.h - one allocation or one free of a log. Readers of logs convert their input to events and
 * pass them to the ledger in batches.
 *
 * Only ptr identifies an object. Logs have other numbers for pages and per-CPU memory, so these are
 * mapped to values that slab addresses do not use. Slab addresses start with 0xff, or with 0 if
 * they are hashed.
 */
#ifndef KMA_MODEL_EVENT_H
#define KMA_MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "site.h"

/* 32 bytes: two to a cache line. */
struct kma_event {
	uint64_t ptr;	/* address of the object, hashed or not; 0: got nothing, or frees nothing */
	uint64_t alloc; /* bytes given, or of a free of pages: bytes freed; else 0 for a free */
	uint64_t req;	/* requested bytes; 0 for a free */
	uint32_t site;	/* number of the call site, from kma_intern() */
	uint16_t cpu;
	uint8_t kind; /* enum kma_kind, of the function that was called */
	bool is_free : 1;
	bool quiet : 1; /* a free: none if the object is unknown; an allocation: if it is known */
	bool twice : 1; /* an allocation that its real owner may report again */
};

/* What no object can be at: NULL and ZERO_SIZE_PTR; freeing it frees nothing. */
#define KMA_PTR_NONE 0x10

/* Logs do not say how large a page is. */
#define KMA_PAGE_SHIFT 12

/**
 * kma_ptr_page() - make the ptr of a block of pages
 * @pfn: number of its first page
 *
 * Return: what stands for it in an event.
 */
static inline uint64_t kma_ptr_page(uint64_t pfn)
{
	return 1UL << 60 | (pfn << KMA_PAGE_SHIFT & ((1UL << 60) - 1));
}

/**
 * kma_ptr_percpu() - make the ptr of per-CPU memory
 * @ptr: as in the log
 *
 * Return: what stands for it in an event.
 */
static inline uint64_t kma_ptr_percpu(uint64_t ptr)
{
	return ptr ^ 0x5aUL << 56;
}

#endif /* KMA_MODEL_EVENT_H */

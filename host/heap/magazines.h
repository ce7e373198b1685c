/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * magazines.h - arrays of pointers to free objects, whose entries above a count are left over.
 */
#ifndef KMA_HEAP_MAGAZINES_H
#define KMA_HEAP_MAGAZINES_H

#include "memory.h"
#include "symbol/btf.h"

/* struct napi_alloc_cache: each CPU's stock of socket buffers. */
struct kma_magazines {
	uint64_t addr;		   /* of the per-CPU variable */
	int64_t count, array;	   /* offsets of its members, in bytes */
	uint64_t size;		   /* bytes of the array */
	const uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	unsigned int cpus;	   /* possible ones */
};

/*
 * Sets count, array and size by the types of the kernel; false if it does not have them (before
 * 5.12 there is no array).
 */
bool kma_magazines_layout(const struct kma_btf *btf, struct kma_magazines *ret);

/* Calls @fn for the entries above the count of each CPU, which are left over. */
void kma_magazines_stale(const struct kma_magazines *magazines, const struct kma_words *words,
			 kma_area_fn fn, void *arg);

#endif /* KMA_HEAP_MAGAZINES_H */

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

/**
 * kma_magazines_layout() - find the members of the structure
 * @btf: types of the kernel
 * @ret: count, array and size are set
 *
 * Return: true; false if the kernel does not have it (before 5.12 it has no array).
 */
bool kma_magazines_layout(const struct kma_btf *btf, struct kma_magazines *ret);

/**
 * kma_magazines_stale() - find the entries that are left over
 * @magazines: the variable
 * @words: reads the kernel's memory
 * @fn: called for the entries above the count of each CPU
 * @arg: passed to @fn
 */
void kma_magazines_stale(const struct kma_magazines *magazines, const struct kma_words *words,
			 kma_area_fn fn, void *arg);

#endif /* KMA_HEAP_MAGAZINES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slub.h - the free objects of SLUB, whose words are left over from their last use.
 *
 * SLUB links free objects by a pointer inside each of them. The lists begin in the per-CPU part of
 * a cache, in the slabs that a CPU keeps, and in the slabs of a node's list of partial slabs. A
 * hardened kernel stores each pointer XORed with a secret of the cache and with the swapped address
 * of the pointer.
 *
 * The kernel goes on while its lists are followed. An object is reported only if it is in the slab
 * that the list began in, at a multiple of the object's size from there.
 */
#ifndef KMA_HEAP_SLUB_H
#define KMA_HEAP_SLUB_H

#include "memory.h"
#include "symbol/btf.h"

/* Offsets of members of SLUB's structures, in bytes; -1: the kernel has no such member. */
struct kma_slub_layout {
	int64_t list, size, offset, oo, random, cpu_slab, node; /* of struct kmem_cache */
	int64_t cpu_freelist, cpu_slab_now, cpu_partial;	/* of struct kmem_cache_cpu */
	int64_t node_partial, node_nr;				/* of struct kmem_cache_node */
	int64_t slab_freelist, slab_list, slab_next;		/* of struct slab */
};

struct kma_slub_heap {
	struct kma_slub_layout layout;
	uint64_t caches;	   /* address of the list of all caches */
	const uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	unsigned int cpus, nodes;  /* possible ones */
};

/* What was found. */
struct kma_slub_counts {
	uint64_t caches, slabs, objects; /* @slabs: those with a list of free objects */
};

/**
 * kma_slub_layout() - find the members of SLUB's structures
 * @btf: types of the kernel
 * @layout: filled in
 *
 * Return: true; false if the kernel has another slab allocator.
 */
bool kma_slub_layout(const struct kma_btf *btf, struct kma_slub_layout *layout);

/**
 * kma_slub_free() - find the free objects
 * @slub: the allocator
 * @words: reads the kernel's memory
 * @fn: called for each free object, with the bytes of its slot
 * @arg: passed to @fn
 * @counts: filled in
 *
 * Return: NULL or an error of @fn.
 */
struct kma_err *kma_slub_free(const struct kma_slub_heap *slub, const struct kma_words *words,
			      kma_area_fn fn, void *arg, struct kma_slub_counts *counts);

#endif /* KMA_HEAP_SLUB_H */

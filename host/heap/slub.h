/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slub.h - the free objects of SLUB, whose words are left over from their last use.
 *
 * SLUB links free objects by a pointer inside each of them. The lists begin in the per-CPU part of
 * a cache, in the slabs that a CPU keeps, and in the slabs of a node's list of partial slabs. A
 * hardened kernel stores each pointer XORed with a secret of the cache and with the swapped address
 * of the pointer.
 *
 * Since 6.18 (2d517aa09bbc) SLUB also keeps free objects in sheaves: arrays of pointers. Each CPU
 * has up to three of a cache, and each node has a barn with a list of full ones and a list of empty
 * ones. An entry keeps its pointer when the object is handed out, so the whole array is reported as
 * well.
 *
 * The kernel goes on while its lists are followed. An object is reported only if it is in the slab
 * that the list began in, at a multiple of the object's size from there; a sheaf only if it names
 * its cache.
 *
 * census.h has the objects that are in use.
 */
#ifndef KMA_HEAP_SLUB_H
#define KMA_HEAP_SLUB_H

#include "memory.h"
#include "symbol/btf.h"

/* Offsets of members of SLUB's structures, in bytes; -1: the kernel has no such member. */
struct kma_slub_layout {
	int64_t list, size, offset, oo, random, cpu_slab; /* of struct kmem_cache */
	int64_t refcount; /* of the same: caches that are merged in it */
	int64_t name,
		pad; /* of the same; @pad: bytes of a slot before its object, with red zones */
	int64_t cpu_sheaves, capacity; /* of struct kmem_cache */
	int64_t node, barn, step;      /* of the first node's; bytes to the next */
	int64_t cpu_freelist, cpu_slab_now, cpu_partial;	 /* of struct kmem_cache_cpu */
	int64_t cpu_sheaf[3];					 /* of struct slub_percpu_sheaves */
	int64_t node_partial, node_nr, node_barn;		 /* of struct kmem_cache_node */
	int64_t slab_freelist, slab_list, slab_next, slab_cache; /* of struct slab */
	struct kma_btf_member slab_objects;			 /* of the same: number of slots */
	int64_t barn_list[2], barn_nr[2]; /* of struct node_barn: full, empty */
	int64_t sheaf_list, sheaf_cache, sheaf_nr, sheaf_objects; /* of struct slab_sheaf */
};

struct kma_slub_heap {
	struct kma_slub_layout layout;
	uint64_t caches;	   /* address of the list of all caches */
	uint64_t page;		   /* bytes of a page */
	const uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	unsigned int cpus, nodes;  /* possible ones */
};

/* What was found. */
struct kma_slub_counts {
	/* @slabs: those with a list of free objects; @objects: free ones on lists and in sheaves */
	uint64_t caches, slabs, sheaves, objects;
};

/*
 * Finds the members of SLUB's structures. False if the kernel has another slab allocator, or
 * sheaves of an unknown form.
 */
bool kma_slub_layout(const struct kma_btf *btf, struct kma_slub_layout *layout);

/* Calls @fn for each free object, with the bytes of its slot, and for each array of a sheaf. */
void kma_slub_free(const struct kma_slub_heap *slub, const struct kma_words *words, kma_area_fn fn,
		   void *arg, struct kma_slub_counts *counts);

#endif /* KMA_HEAP_SLUB_H */

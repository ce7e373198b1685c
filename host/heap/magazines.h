/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * magazines.h - arrays of pointers to free objects, with entries that are left over.
 */
#ifndef KMA_HEAP_MAGAZINES_H
#define KMA_HEAP_MAGAZINES_H

#include "memory.h"
#include "symbol/btf.h"

struct kma_magazines {
	/* struct napi_alloc_cache: each CPU's stock of socket buffers */
	uint64_t skbs;	      /* address of the per-CPU variable; 0: none */
	int64_t count, array; /* offsets of its members, in bytes */
	uint64_t size;	      /* bytes of the array */
	/* struct kfree_rcu_cpu: each CPU's spare pages of kfree_rcu() */
	uint64_t rcu;  /* address of the per-CPU variable; 0: none */
	int64_t spare; /* offset of their list */
	uint64_t page; /* bytes of a page */

	const uint64_t *cpu_areas; /* by CPU: offset of its per-CPU variables */
	unsigned int cpus;	   /* possible ones */
};

/*
 * Sets the offsets by the types of the kernel. A variable whose type the kernel does not have (no
 * array of buffers before 5.12) becomes 0.
 */
void kma_magazines_layout(const struct kma_btf *btf, struct kma_magazines *ret);

/* Calls @fn for the entries of each CPU that are left over. */
void kma_magazines_stale(const struct kma_magazines *magazines, const struct kma_words *words,
			 kma_area_fn fn, void *arg);

#endif /* KMA_HEAP_MAGAZINES_H */

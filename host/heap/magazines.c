// SPDX-License-Identifier: GPL-2.0-only
/*
 * magazines.c - each CPU's stock of socket buffers, and its spare pages of kfree_rcu().
 *
 * The stock (net/core/skbuff.c of the kernel): an entry below the count holds a buffer that the slab
 * allocator has handed out, and is a reference like any other. An entry above it keeps the address
 * of a buffer that was handed on.
 *
 * kfree_rcu() (kernel/rcu/tree.c in 6.12, mm/slab_common.c in 7.2) writes the addresses of objects
 * that it will free into whole pages. Up to rcutree.rcu_min_cached_objs empty pages of each CPU, 5
 * by default, wait for the next use, in a list through their first words. Their other words are not
 * cleared: a page has up to 500 addresses of objects that were freed. A page in use is a reference.
 */
#include "magazines.h"

#define SPARE 64 /* most spare pages of a CPU: a list that is read while it changes may not end */

void kma_magazines_layout(const struct kma_btf *btf, struct kma_magazines *ret)
{
	uint32_t skbs = kma_btf_find(btf, KMA_BTF_STRUCT, "napi_alloc_cache");
	uint32_t rcu = kma_btf_find(btf, KMA_BTF_STRUCT, "kfree_rcu_cpu");
	struct kma_btf_member array, count, spare;

	if (skbs && kma_btf_member(btf, skbs, "skb_cache", &array) &&
	    kma_btf_member(btf, skbs, "skb_count", &count) && array.offset % 8 == 0 &&
	    count.size == 4) {
		ret->array = array.offset;
		ret->size = array.size;
		ret->count = count.offset;
	} else {
		ret->skbs = 0;
	}
	if (rcu && kma_btf_member(btf, rcu, "bkvcache", &spare) && spare.offset % 8 == 0)
		ret->spare = spare.offset;
	else
		ret->rcu = 0;
}

static void stale_skbs(const struct kma_magazines *magazines, uint64_t area,
		       const struct kma_words *words, kma_area_fn fn, void *arg)
{
	uint64_t at = magazines->skbs + area, count = at + magazines->count, word, used;

	if (!words->word(words->arg, count & ~7ULL, &word))
		return;
	used = 8 * (word >> 8 * (count & 4) & UINT32_MAX);
	if (used < magazines->size)
		fn(arg, at + magazines->array + used, magazines->size - used);
}

static void stale_pages(const struct kma_magazines *magazines, uint64_t area,
			const struct kma_words *words, kma_area_fn fn, void *arg)
{
	uint64_t at = magazines->rcu + area + magazines->spare;

	for (unsigned int i = 0; i < SPARE; i++) {
		if (!words->word(words->arg, at, &at) || !at || at % magazines->page)
			return;
		fn(arg, at, magazines->page);
	}
}

void kma_magazines_stale(const struct kma_magazines *magazines, const struct kma_words *words,
			 kma_area_fn fn, void *arg)
{
	for (unsigned int cpu = 0; cpu < magazines->cpus; cpu++) {
		if (magazines->skbs)
			stale_skbs(magazines, magazines->cpu_areas[cpu], words, fn, arg);
		if (magazines->rcu)
			stale_pages(magazines, magazines->cpu_areas[cpu], words, fn, arg);
	}
}

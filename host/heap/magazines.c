// SPDX-License-Identifier: GPL-2.0-only
/*
 * magazines.c - each CPU's stock of socket buffers (net/core/skbuff.c of the kernel).
 *
 * An entry below the count holds a buffer that the slab allocator has handed out, and is a
 * reference like any other. An entry above it keeps the address of a buffer that was handed on.
 */
#include "magazines.h"

bool kma_magazines_layout(const struct kma_btf *btf, struct kma_magazines *ret)
{
	uint32_t type = kma_btf_find(btf, KMA_BTF_STRUCT, "napi_alloc_cache");
	struct kma_btf_member array, count;

	if (!type || !kma_btf_member(btf, type, "skb_cache", &array) ||
	    !kma_btf_member(btf, type, "skb_count", &count) || array.offset % 8 || count.size != 4)
		return false;
	ret->array = array.offset;
	ret->size = array.size;
	ret->count = count.offset;
	return true;
}

void kma_magazines_stale(const struct kma_magazines *magazines, const struct kma_words *words,
			 kma_area_fn fn, void *arg)
{
	for (unsigned int cpu = 0; cpu < magazines->cpus; cpu++) {
		uint64_t at = magazines->addr + magazines->cpu_areas[cpu], word, used;
		uint64_t count = at + magazines->count;

		if (!words->word(words->arg, count & ~7ULL, &word))
			continue;
		used = 8 * (word >> 8 * (count & 4) & UINT32_MAX);
		if (used < magazines->size)
			fn(arg, at + magazines->array + used, magazines->size - used);
	}
}

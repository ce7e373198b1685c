// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmem_cache.c - the size and the cache of an object of the slab allocator.
 */
#include <linux/mm.h>
#include <linux/string.h>

#include "../../slab.h"
#include "account/kmem_cache.h"

size_t kma_cache_given(const void *ptr, bool *whole_pages)
{
	const struct slab *slab;

	*whole_pages = false;
	if (!virt_addr_valid(ptr))
		return 0;
	slab = virt_to_slab(ptr);
	*whole_pages = !slab;
	return slab ? slab->slab_cache->size : page_size(virt_to_head_page(ptr));
}

void kma_cache_copy_name(const struct kmem_cache *s, char name[KMA_CACHE_NAME_LEN])
{
	strscpy(name, s ? s->name : KMA_CACHE_LARGE, KMA_CACHE_NAME_LEN);
}

void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN])
{
	const struct slab *slab = virt_to_slab(object);

	kma_cache_copy_name(slab ? slab->slab_cache : NULL, name);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmem_cache.c - find the slab and the cache of an object, and read the sizes and the name of
 * a cache.
 *
 * The design is in kmem_cache.h.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "account/kmem_cache.h"

#define KMA_SLAB_ORDER		15		/* mask of an order; no slab has a larger one */

bool kma_cache_findable(void)
{
	return kma_cache_at.page_at;
}

/* Return the cache to which a slab's first page belongs. */
static const struct kmem_cache *kma_cache_page(const struct page *page)
{
	return READ_ONCE(*(const struct kmem_cache **)((const char *)page + kma_cache_at.page_at));
}

bool kma_slab_counted(void)
{
	return kma_cache_at.count_at;
}

bool kma_slab_of(unsigned long ptr, struct kma_slab *slab)
{
	struct page *page = virt_to_head_page((const void *)ptr);

	if (!PageSlab(page))
		return false;
	slab->cache = kma_cache_page(page);
	slab->head = (unsigned long)page;
	/* if the page is freed in the meantime, its order may be any value */
	slab->bytes = PAGE_SIZE << (compound_order(page) & KMA_SLAB_ORDER);
	slab->used = 0;
	if (kma_cache_at.count_at)
		slab->used = READ_ONCE(*(const u32 *)
				       ((const char *)page + kma_cache_at.count_at)) &
			     KMA_SLAB_USED;
	return true;
}

bool kma_cache_read(const struct kmem_cache *s, struct kma_cache_info *info)
{
	u32 sizes[2];

	if (!kma_cache_peek(sizes, (const char *)s + kma_cache_at.size_at, sizeof(sizes)))
		return false;
	info->size = sizes[0];
	info->object_size = sizes[1];
	if (!kma_cache_at.name_at || !kma_cache_name_at(s, kma_cache_at.name_at, info->name))
		strscpy(info->name, "-", sizeof(info->name));
	return true;
}

/* A large kmalloc() consists of a compound page of at least two pages. */
size_t kma_cache_given(const void *ptr, bool *whole_pages)
{
	const struct kmem_cache *s;
	struct page *page;
	u32 size;

	*whole_pages = false;
	if (!virt_addr_valid(ptr))
		return 0;
	page = virt_to_head_page(ptr);
	*whole_pages = !PageSlab(page);
	if (*whole_pages)
		return PageHead(page) ? page_size(page) : 0;
	if (!kma_cache_findable())
		return 0;
	s = kma_cache_page(page);
	if (!kma_cache_peek(&size, (const char *)s + kma_cache_at.size_at, sizeof(size)))
		return 0;
	return size;
}

__cold void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN])
{
	struct kma_cache_info info;
	struct kma_slab slab;

	*name = '\0';
	if (!kma_cache_findable())
		return;
	if (!kma_slab_of((unsigned long)object, &slab))
		strscpy(name, KMA_CACHE_LARGE, KMA_CACHE_NAME_LEN);
	else if (kma_cache_read(slab.cache, &info))
		strscpy(name, info.name, KMA_CACHE_NAME_LEN);
}

__cold void kma_cache_copy_name(const struct kmem_cache *s, char name[KMA_CACHE_NAME_LEN])
{
	struct kma_cache_info info;

	*name = '\0';
	if (kma_cache_at.name_at && kma_cache_read(s, &info))
		strscpy(name, info.name, KMA_CACHE_NAME_LEN);
}

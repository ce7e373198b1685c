/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmem_cache.h - read sizes and name of the cache of an object.
 *
 * The event of kmem_cache_alloc() has the cache but no size, and the event of a free has only an
 * address. kma_slab_of() finds the slab and the cache of an object, and
 * kma_cache_read() reads the sizes and the name of a cache. Both read members of structs
 * of mm/, at the offsets that kmem_cache_layout.h has found. A cache or a page may be freed
 * during the read. The reads therefore survive an invalid address, and the result may only be
 * compared and printed.
 *
 * Never done here: taking a lock, allocating, sleeping.
 */
#ifndef KMA_KMEM_CACHE_H
#define KMA_KMEM_CACHE_H

#include <linux/compiler.h>
#include <linux/slab.h>
#include <linux/types.h>

#include "account/kmem_cache_layout.h"

/*
 * Test if kma_slab_of() and kma_cache_read() can work.
 * Return: true if the module knows how this kernel links an object to its cache.
 */
bool kma_cache_findable(void);

/**
 * struct kma_slab - the pages that contain an object and others of its cache
 * @cache: the cache
 * @head: address of the first page's struct page, which identifies the slab
 * @bytes: size of these pages
 * @used: number of objects in use, as the slab counts them; 0 if the module does not know
 *	where. Objects that a CPU keeps for its next allocations are included.
 */
struct kma_slab {
	const struct kmem_cache *cache;
	unsigned long head;
	unsigned long bytes;
	u32 used;
};

/**
 * kma_slab_of() - find the slab of an object
 * @ptr: address of the object, which may already be freed
 * @slab: filled; if the object is freed, the cache may be any value, to be used only for
 *	comparing and for kma_cache_read()
 *
 * Context: any, if kma_cache_findable().
 * Return: true; false if the object is not in a slab.
 */
bool kma_slab_of(unsigned long ptr, struct kma_slab *slab);

/*
 * Test if kma_slab_of() can count the objects in use.
 * Return: true if the module knows where this kernel's slabs store the count.
 */
bool kma_slab_counted(void);

/**
 * kma_cache_given() - get the bytes that an object takes
 * @ptr: address of the object; any value is allowed
 * @whole_pages: set to true if the object is a large kmalloc(), which is not in a slab
 *
 * Context: any but NMI. If the object is freed already, the result may be that of
 * another object at its address.
 * Return: bytes, or 0 if the size is not known.
 */
size_t kma_cache_given(const void *ptr, bool *whole_pages);

/**
 * struct kma_cache_info - sizes and name of a cache
 * @size: bytes that each object takes
 * @object_size: bytes of @size that the user of the cache requested
 * @name: name of the cache, or "-"
 */
struct kma_cache_info {
	u32 size;
	u32 object_size;
	char name[KMA_CACHE_NAME_LEN];
};

/**
 * kma_cache_read() - read sizes and name of a cache, which may be destroyed or no cache at all
 * @s: address from kma_slab_of()
 * @info: filled
 *
 * Context: any but NMI, if kma_cache_findable().
 * Return: true; false if there is no memory at the address.
 */
bool kma_cache_read(const struct kmem_cache *s, struct kma_cache_info *info);

#define KMA_CACHE_LARGE		"[large kmalloc]"

/**
 * kma_cache_name_of() - get the name of an object's cache
 * @object: the object, which exists
 * @name: set to the name; KMA_CACHE_LARGE if the object is not in a slab; empty if the cache
 *	is not known
 *
 * Context: any but NMI.
 */
void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN]);

/**
 * kma_cache_copy_name() - copy the name of a cache
 * @s: the cache, which exists
 * @name: set to the name; empty if the name is not known
 *
 * Context: any but NMI, after kma_cache_init().
 */
void kma_cache_copy_name(const struct kmem_cache *s,
			 char name[KMA_CACHE_NAME_LEN]);

/*
 * Get the bytes that each object of a cache takes, s->size.
 * Context: any, after kma_cache_init().
 * Return: bytes.
 */
static __always_inline size_t kma_cache_bytes(const struct kmem_cache *s)
{
	/* hidden, so that the compiler keeps it in one register, not in one of 32 bits as well */
	size_t bytes = *(const u32 *)((const char *)s + kma_cache_at.size_at);

	OPTIMIZER_HIDE_VAR(bytes);
	return bytes;
}

/*
 * Check if memcg is asked to charge all objects of a cache.
 * Context: any, after kma_cache_init().
 * Return: true if s->flags has SLAB_ACCOUNT; any value if the offset of flags is not known.
 */
static __always_inline bool kma_cache_accounts(const struct kmem_cache *s)
{
	return *(const slab_flags_t *)((const char *)s + kma_cache_at.flags_at) & SLAB_ACCOUNT;
}

/*
 * Get the bytes that the user of a cache requested, s->object_size.
 * Context: any, after kma_cache_init().
 * Return: bytes.
 */
static __always_inline size_t kma_cache_req(const struct kmem_cache *s)
{
	size_t req = *((const u32 *)((const char *)s + kma_cache_at.size_at) + 1);

	OPTIMIZER_HIDE_VAR(req);
	return req;
}

#endif /* KMA_KMEM_CACHE_H */

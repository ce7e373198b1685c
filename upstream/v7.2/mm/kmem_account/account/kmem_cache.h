/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmem_cache.h - the size and the cache of an object of the slab allocator.
 */
#ifndef KMA_KMEM_CACHE_H
#define KMA_KMEM_CACHE_H

#include <linux/types.h>

struct kmem_cache;

#define KMA_CACHE_NAME_LEN	32
#define KMA_CACHE_LARGE		"[large kmalloc]"

/**
 * kma_cache_given() - get the bytes that are allocated to an object
 * @ptr: address of the object, which must exist
 * @whole_pages: set to true for a large kmalloc(), which has pages of its own; else to false
 *
 * Context: any.
 * Return: bytes; 0 if @ptr is not in the direct map.
 */
size_t kma_cache_given(const void *ptr, bool *whole_pages);

/**
 * kma_cache_copy_name() - copy the name of a cache
 * @s: the cache, or NULL for a large kmalloc()
 * @name: set to the name, or to its beginning; KMA_CACHE_LARGE if @s is NULL
 *
 * Context: any.
 */
void kma_cache_copy_name(const struct kmem_cache *s, char name[KMA_CACHE_NAME_LEN]);

/**
 * kma_cache_name_of() - copy the name of an object's cache
 * @object: address of the object, which must exist
 * @name: set as by kma_cache_copy_name()
 *
 * Context: any.
 */
void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN]);

#endif /* KMA_KMEM_CACHE_H */

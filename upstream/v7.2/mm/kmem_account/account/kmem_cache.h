/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmem_cache.h - what a slab cache says of its objects.
 */
#ifndef KMA_KMEM_CACHE_H
#define KMA_KMEM_CACHE_H

#include <linux/types.h>

struct kmem_cache;

#define KMA_CACHE_NAME_LEN	32
#define KMA_CACHE_LARGE		"[large kmalloc]"

/**
 * kma_cache_given() - bytes that an object takes
 * @ptr: the object, which exists
 * @whole_pages: set to true if it is a large kmalloc(), which is of no slab
 *
 * Context: any.
 * Return: bytes; 0 if it is no object.
 */
size_t kma_cache_given(const void *ptr, bool *whole_pages);

/**
 * kma_cache_copy_name() - the name of an object's cache
 * @s: the cache, or NULL for a large kmalloc()
 * @name: set to it
 *
 * Context: any.
 */
void kma_cache_copy_name(const struct kmem_cache *s, char name[KMA_CACHE_NAME_LEN]);

/**
 * kma_cache_name_of() - the name of an object's cache
 * @object: the object, which exists
 * @name: set to it
 *
 * Context: any.
 */
void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN]);

#endif /* KMA_KMEM_CACHE_H */

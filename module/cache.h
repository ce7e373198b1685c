/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cache.h - what a kmem_cache says of its objects.
 *
 * kmem_cache_alloc's event carries the cache and no size. kmem_cache_size()
 * tells the bytes asked for (object_size); the bytes given, s->size, stand in
 * a struct that belongs to mm/ (in mm/slab.h since v6.8, commit 19975f83412f
 * ("mm/slab: move the rest of slub_def.h to mm/slab.h")). In every kernel so
 * far size is the word before object_size. kma_cache_init() does not trust
 * that: it makes two caches whose sizes it knows, finds the place in both, and
 * gives up if they disagree with each other or with ksize().
 */
#ifndef KMA_CACHE_H
#define KMA_CACHE_H

#include <linux/slab.h>

extern unsigned int kma_cache_size_at;

/**
 * kma_cache_init() - learn where struct kmem_cache keeps the sizes
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV if the layout is none that we know; a line in
 * the log says which.
 */
int kma_cache_init(void);

/**
 * kma_cache_bytes() - bytes that each object of a cache takes, s->size
 * @s: the cache
 *
 * Context: any, after kma_cache_init().
 * Return: bytes.
 */
static __always_inline size_t kma_cache_bytes(const struct kmem_cache *s)
{
	return *(const u32 *)((const char *)s + kma_cache_size_at);
}

/**
 * kma_cache_req() - bytes that the user of a cache asked for, s->object_size
 * @s: the cache
 *
 * Context: any, after kma_cache_init().
 * Return: bytes.
 */
static __always_inline size_t kma_cache_req(const struct kmem_cache *s)
{
	return *((const u32 *)((const char *)s + kma_cache_size_at) + 1);
}

#endif /* KMA_CACHE_H */

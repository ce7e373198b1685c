/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmem_cache_layout.h - where struct kmem_cache and struct page keep what the
 * account needs.
 *
 * kmem_cache_alloc's event carries the cache and no size. kmem_cache_size()
 * tells the bytes asked for (object_size); the bytes given, s->size, stand in
 * a struct that belongs to mm/ (in mm/slab.h since v6.8, commit 19975f83412f
 * ("mm/slab: move the rest of slub_def.h to mm/slab.h")). In every kernel so
 * far size is the word before object_size. kma_cache_init() does not trust
 * that: it makes two caches whose sizes it knows, finds the place in both, and
 * gives up if they disagree with each other or with ksize(). On kernels that put
 * red zones around objects, bytes_alloc and so the slack include them.
 *
 * The way from an object to its cache leads through struct page, where mm/
 * keeps struct slab (since v5.17, commit d122019bf061 ("mm: Split slab into its
 * own type")), and the name is another word of struct kmem_cache. Both are
 * found with the same two caches, if they can be: only files in debugfs that
 * ask for caches depend on it. So is the word in which a slab counts its objects:
 * 16 bits for those in use, 15 for all of them, which are known here.
 *
 * Never done here: nothing is searched after kma_cache_init().
 */
#ifndef KMA_KMEM_CACHE_LAYOUT_H
#define KMA_KMEM_CACHE_LAYOUT_H

#include <linux/types.h>

struct kmem_cache;

#define KMA_CACHE_NAME_LEN	32
#define KMA_SLAB_USED		0xffffu	/* of a slab's count: objects in use */

/**
 * struct kma_cache_layout - where things are, in bytes
 * @size_at: size in struct kmem_cache; object_size is the word behind it
 * @name_at: name, there
 * @page_at: the cache in struct page
 * @count_at: the count of objects, there; 0 if that is not understood
 */
struct kma_cache_layout {
	unsigned int size_at;
	unsigned int name_at;
	unsigned int page_at;
	unsigned int count_at;
};

extern struct kma_cache_layout kma_cache_at;

/**
 * kma_cache_know() - set the struct layout, so that kma_cache_init() need not search for it
 * @layout: offsets of the members
 *
 * Used by code that can include mm/slab.h (boot.h).
 *
 * Context: any.
 */
void kma_cache_know(const struct kma_cache_layout *layout);

/**
 * kma_cache_init() - learn where struct kmem_cache keeps the sizes
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV if the layout is none that we know; a line in
 * the log says which.
 */
int kma_cache_init(void);

/**
 * kma_cache_peek() - read memory that may not be there
 * @to: where to
 * @from: address in the kernel, or anything else
 * @size: bytes
 *
 * Context: any but NMI.
 * Return: true if it was read.
 */
bool kma_cache_peek(void *to, const void *from, size_t size);

/**
 * kma_cache_name_at() - read the name that a word of a cache points to
 * @s: the cache; it may be gone
 * @at: byte offset of the word
 * @name: set to the name; cut if it is longer
 *
 * Context: any but NMI.
 * Return: false if the word points to no text.
 */
bool kma_cache_name_at(const struct kmem_cache *s, unsigned int at,
		       char name[KMA_CACHE_NAME_LEN]);

#endif /* KMA_KMEM_CACHE_LAYOUT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmem_cache_layout.h - find the members of struct kmem_cache and struct page that the
 * account needs.
 *
 * The event of kmem_cache_alloc() has the cache but no size. kmem_cache_size()
 * returns the bytes requested (object_size). The bytes allocated, s->size, are in
 * a struct that is private to mm/ (in mm/slab.h since v6.8, commit 19975f83412f
 * ("mm/slab: move the rest of slub_def.h to mm/slab.h")). In every kernel so
 * far size is the word before object_size. kma_cache_init() checks
 * that: it creates two caches of known sizes, searches for the place in both, and
 * fails if they disagree with each other or with ksize(). On kernels that put
 * red zones around objects, bytes_alloc and therefore the slack include them.
 *
 * An object's cache is found by its struct page, where mm/
 * keeps struct slab (since v5.17, commit d122019bf061 ("mm: Split slab into its
 * own type")). The name of a cache is another word of struct kmem_cache, and a slab counts its
 * objects in another word of struct page: 16 bits for those in use, 15 for all of them, whose
 * number is known here. These three are searched with the same two caches, and so are the flags
 * of a cache: the two caches differ in SLAB_ACCOUNT. If one is not found,
 * kma_cache_init() still succeeds, and the account works without it. Without the pointer to the
 * cache, most names of caches are missing, frees to the wrong cache are not detected, and debugfs
 * cannot show caches and slabs. Without the flags, the file cgroups does not have what is charged.
 *
 * Never done here: searching after kma_cache_init().
 */
#ifndef KMA_KMEM_CACHE_LAYOUT_H
#define KMA_KMEM_CACHE_LAYOUT_H

#include <linux/types.h>

struct kmem_cache;

#define KMA_CACHE_NAME_LEN	32
#define KMA_SLAB_USED		0xffffu	/* of a slab's count: objects in use */

/**
 * struct kma_cache_layout - byte offsets of members; 0 if not known
 * @size_at: size in struct kmem_cache; object_size is the next word
 * @name_at: name in struct kmem_cache
 * @flags_at: flags in struct kmem_cache; 0 also if the events do not report the cache (before 6.0)
 * @page_at: pointer to the cache in struct page
 * @count_at: count of objects in struct page
 */
struct kma_cache_layout {
	unsigned int size_at;
	unsigned int name_at;
	unsigned int flags_at;
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

/*
 * Find the byte offsets of the members.
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENODEV if the kernel has another layout.
 */
int kma_cache_init(void);

/**
 * kma_cache_peek() - read memory that may not exist
 * @to: buffer that receives the memory
 * @from: address; any value is allowed
 * @size: number of bytes
 *
 * Context: any but NMI.
 * Return: true; false if there is no memory at the address.
 */
bool kma_cache_peek(void *to, const void *from, size_t size);

/**
 * kma_cache_name_at() - read the name to which a word of a cache points
 * @s: the cache, which may be destroyed
 * @at: byte offset of the word
 * @name: set to the name; truncated if it is longer
 *
 * Context: any but NMI.
 * Return: true; false if the word does not point to a string, or to an empty one.
 */
bool kma_cache_name_at(const struct kmem_cache *s, unsigned int at,
		       char name[KMA_CACHE_NAME_LEN]);

#endif /* KMA_KMEM_CACHE_LAYOUT_H */

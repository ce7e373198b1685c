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
 */
#ifndef KMA_KMEM_CACHE_LAYOUT_H
#define KMA_KMEM_CACHE_LAYOUT_H

#include <linux/types.h>

struct kmem_cache;

#define KMA_CACHE_NAME_LEN	32
#define KMA_SLAB_USED		0xffffu	/* of a slab's count: objects in use */

/* Byte offsets of members; 0 if not known. */
struct kma_cache_layout {
	unsigned int size_at;	/* of struct kmem_cache; object_size is the next word */
	unsigned int name_at;	/* of struct kmem_cache */
	/* The same; 0 also if the events do not report the cache (before 6.0) */
	unsigned int flags_at;
	unsigned int page_at;	/* pointer to the cache in struct page */
	unsigned int count_at;	/* count of objects in struct page */
};

extern struct kma_cache_layout kma_cache_at;

/*
 * Set the layout, so that kma_cache_init() need not search for it: for code that can include
 * mm/slab.h (boot.h).
 */
void kma_cache_know(const struct kma_cache_layout *layout);

/* Context: process, may sleep. Returns 0, -ENOMEM, or -ENODEV if the kernel has another layout. */
int kma_cache_init(void);

/* Copy memory that may not exist: then false. Any context but NMI. */
bool kma_cache_peek(void *to, const void *from, size_t size);

/*
 * Read the name to which the word at an offset of a cache points; the cache may be destroyed. A
 * longer name is truncated. False if the word points to no string, or to an empty one. Any context
 * but NMI.
 */
bool kma_cache_name_at(const struct kmem_cache *s, unsigned int at, char name[KMA_CACHE_NAME_LEN]);

#endif /* KMA_KMEM_CACHE_LAYOUT_H */

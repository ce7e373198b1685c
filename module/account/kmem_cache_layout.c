// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmem_cache_layout.c - find the members of struct kmem_cache and struct page that the
 * account needs.
 *
 * The design is in kmem_cache_layout.h.
 */
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "account/kmem_cache_layout.h"

/* s->size is in the first bytes; the order of the members differs between kernels. */
#define KMA_CACHE_SEARCH	64	/* bytes */

#define KMA_CACHE_NAME_SEARCH	160	/* bytes: s->name is within these */

#define KMA_SLAB_OBJECTS_SHIFT	16
#define KMA_SLAB_OBJECTS	0x7fffu		/* all objects of a slab */

/* Byte offsets of the members; 0 if not known. */
struct kma_cache_layout kma_cache_at __read_mostly;

/* A constructor keeps the cache from being merged with another one. */
static void kma_cache_ctor(void *object)
{
}

/* The maximum that debugging adds to an object: its red zones on both sides. */
#define KMA_CACHE_DEBUG_MAX	4096	/* bytes */

/*
 * Check if a word may be s->size, which is ksize() without debugging. Debugging puts red zones
 * around objects, which s->size includes and ksize() does not.
 */
static bool __init kma_cache_plausible(u32 size, size_t given)
{
	return size >= given && size < given + KMA_CACHE_DEBUG_MAX &&
	       IS_ALIGNED(size, sizeof(long));
}

/* Return the byte offset of size in @s, whose objects have @req bytes, or -ENODEV. */
static int __init kma_cache_find(struct kmem_cache *s, unsigned int req, size_t given)
{
	const u32 *word = (const u32 *)s;
	int i, at = -ENODEV;

	for (i = 1; i < KMA_CACHE_SEARCH / sizeof(*word); i++) {
		if (word[i] != req || !kma_cache_plausible(word[i - 1], given))
			continue;
		if (at >= 0)
			return -ENODEV;	/* two places fit: ambiguous */
		at = (i - 1) * sizeof(*word);
	}
	return at;
}

/*
 * copy_from_kernel_nofault(), but only from an address that may belong to the
 * kernel: for a non-canonical address 5.10 prints a warning, and UML does not
 * survive a fault.
 */
bool kma_cache_peek(void *to, const void *from, size_t size)
{
	unsigned long addr = (unsigned long)from;

	if (IS_ENABLED(CONFIG_UML) && !virt_addr_valid(from))
		return false;
	return addr >= PAGE_OFFSET && addr < -PAGE_SIZE &&
	       !copy_from_kernel_nofault(to, from, size);
}

bool kma_cache_name_at(const struct kmem_cache *s, unsigned int at, char name[KMA_CACHE_NAME_LEN])
{
	const char *from;
	unsigned int i;

	if (!kma_cache_peek(&from, (const char *)s + at, sizeof(from)))
		return false;
	for (i = 0; i < KMA_CACHE_NAME_LEN - 1; i++)
		if (!kma_cache_peek(&name[i], from + i, 1) || !name[i])
			break;
	name[i] = '\0';
	return i;
}

/*
 * Return the byte offset of the flags in @s: the first of two caches with SLAB_ACCOUNT, then the
 * second one without it. The words of the first cache are kept for the second one. Return 0 if no
 * word differs by this flag alone, or more than one.
 */
static unsigned int __init kma_cache_find_flags(const struct kmem_cache *s, bool first)
{
	static u32 seen[KMA_CACHE_SEARCH / sizeof(u32)] __initdata;
	const u32 *word = (const u32 *)s;
	unsigned int i, at = 0;

	for (i = 1; i < ARRAY_SIZE(seen); i++) {
		if (!first && SLAB_ACCOUNT && (seen[i] ^ word[i]) == (__force u32)SLAB_ACCOUNT) {
			if (at)
				return 0;
			at = i * sizeof(u32);
		}
		seen[i] = word[i];
	}
	return at;
}

static unsigned int __init kma_cache_find_name(const struct kmem_cache *s, const char *want)
{
	char name[KMA_CACHE_NAME_LEN];
	unsigned int at;

	for (at = sizeof(s); at < KMA_CACHE_NAME_SEARCH; at += sizeof(s))
		if (kma_cache_name_at(s, at, name) && !strcmp(name, want))
			return at;
	return 0;
}

/* Return the byte offset of the pointer to the cache in struct page, or 0. */
static unsigned int __init kma_cache_find_page(const struct kmem_cache *s, const void *object)
{
	const struct page *page = virt_to_head_page(object);
	unsigned int at;

	for (at = sizeof(s); at < sizeof(*page); at += sizeof(s))
		if (*(const struct kmem_cache **)((const char *)page + at) == s)
			return at;
	return 0;
}

/*
 * Return the byte offset in struct page of the slab's count of objects of @size bytes; 0 if
 * no word fits, or more than one. The caller holds an object of the slab, so the number of
 * objects in use is not 0.
 */
static unsigned int __init kma_slab_find_count(const void *object, u32 size)
{
	struct page *page = virt_to_head_page(object);
	const u32 *word = (const u32 *)page;
	u32 objects = page_size(page) / size;
	unsigned int i, at = 0;

	for (i = 1; i < sizeof(*page) / sizeof(*word); i++) {
		u32 count = READ_ONCE(word[i]), used = count & KMA_SLAB_USED;

		if ((count >> KMA_SLAB_OBJECTS_SHIFT & KMA_SLAB_OBJECTS) !=
		    objects || !used || used > objects)
			continue;
		if (at)
			return 0;
		at = i * sizeof(*word);
	}
	return at;
}

/* Both caches must agree: the second one clears an offset that differs from the first one's. */
static void __init kma_cache_agree(unsigned int *offset, unsigned int at, bool first)
{
	if (first || *offset != at)
		*offset = first ? at : 0;
}

static void __init kma_cache_learn(const struct kmem_cache *s, const char *name,
				   const void *object, u32 size, bool first)
{
	if (KMA_EVENTS_HAVE_CACHE)
		kma_cache_at.flags_at = kma_cache_find_flags(s, first);
	kma_cache_agree(&kma_cache_at.name_at, kma_cache_find_name(s, name), first);
	kma_cache_agree(&kma_cache_at.page_at, kma_cache_find_page(s, object), first);
	kma_cache_agree(&kma_cache_at.count_at, kma_slab_find_count(object, size), first);
}

void kma_cache_know(const struct kma_cache_layout *layout)
{
	kma_cache_at = *layout;
}

static int __init kma_cache_probe(const char *name, unsigned int req, bool first)
{
	struct kmem_cache *s;
	int at = -ENOMEM;
	void *object;

	s = kmem_cache_create(name, req, sizeof(long), first ? SLAB_ACCOUNT : 0, kma_cache_ctor);
	if (!s)
		return -ENOMEM;
	object = kmem_cache_alloc(s, GFP_KERNEL);
	if (object) {
		at = kma_cache_find(s, kmem_cache_size(s), ksize(object));
		if (at > 0)
			kma_cache_learn(s, name, object, *(const u32 *)((const char *)s + at),
					first);
		kmem_cache_free(s, object);
	}
	kmem_cache_destroy(s);
	return at;
}

int __init kma_cache_init(void)
{
	int a, b;

	if (kma_cache_at.size_at)
		return 0;
	/* sizes that the kernel rounds up, by different numbers of bytes */
	a = kma_cache_probe("kmem_account-a", 203, true);
	b = kma_cache_probe("kmem_account-b", 1234, false);
	if (a == -ENOMEM || b == -ENOMEM)
		return -ENOMEM;
	if (a < 0 || a != b)
		return -ENODEV;
	kma_cache_at.size_at = a;
	return 0;
}

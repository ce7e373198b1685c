// SPDX-License-Identifier: GPL-2.0
/*
 * cache.c - where struct kmem_cache keeps the sizes of its objects.
 *
 * The why is told in cache.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/printk.h>

#include "cache.h"

/* s->size lies in the first words; what follows differs between kernels. */
#define KMA_CACHE_SEARCH	64	/* bytes */

unsigned int kma_cache_size_at __read_mostly;

/* A constructor keeps the cache from being merged with another one. */
static void kma_cache_ctor(void *object)
{
}

/* Byte offset of size in @s, whose objects have @req bytes, or -ENODEV. */
static int kma_cache_find(struct kmem_cache *s, unsigned int req, size_t given)
{
	const u32 *word = (const u32 *)s;
	int i, at = -ENODEV;

	for (i = 1; i < KMA_CACHE_SEARCH / sizeof(*word); i++) {
		if (word[i] != req || word[i - 1] != given)
			continue;
		if (at >= 0)
			return -ENODEV;	/* twice: no telling which */
		at = (i - 1) * sizeof(*word);
	}
	return at;
}

static int kma_cache_probe(const char *name, unsigned int req)
{
	struct kmem_cache *s;
	int at = -ENOMEM;
	void *object;

	s = kmem_cache_create(name, req, sizeof(long), 0, kma_cache_ctor);
	if (!s)
		return -ENOMEM;
	object = kmem_cache_alloc(s, GFP_KERNEL);
	if (object) {
		at = kma_cache_find(s, kmem_cache_size(s), ksize(object));
		kmem_cache_free(s, object);
	}
	kmem_cache_destroy(s);
	return at;
}

int kma_cache_init(void)
{
	/* sizes that are rounded up, each by something else */
	int a = kma_cache_probe("kmem_account-a", 203);
	int b = kma_cache_probe("kmem_account-b", 1234);

	if (a == -ENOMEM || b == -ENOMEM)
		return -ENOMEM;
	if (a < 0 || a != b) {
		pr_err("struct kmem_cache of this kernel is not understood (%d, %d)\n",
		       a, b);
		return -ENODEV;
	}
	kma_cache_size_at = a;
	return 0;
}

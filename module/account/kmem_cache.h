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
 *
 * Contexts: any but NMI, after kma_cache_init(), unless stated.
 */
#ifndef KMA_KMEM_CACHE_H
#define KMA_KMEM_CACHE_H

#include <linux/compiler.h>
#include <linux/slab.h>
#include <linux/types.h>

#include "account/kmem_cache_layout.h"

/*
 * Does the module know how this kernel links an object to its cache? Else kma_slab_of() and
 * kma_cache_read() must not be called.
 */
bool kma_cache_findable(void);

/* The pages that contain an object and others of its cache. */
struct kma_slab {
	const struct kmem_cache *cache;
	/* Address of the first page's struct page, which identifies the slab */
	unsigned long head;
	unsigned long bytes;	/* size of these pages */
	/* Objects in use, also those that a CPU keeps for its next allocations; 0 if unknown */
	u32 used;
};

/*
 * The slab of an object, which may already be freed: then the cache may be any value, to be used
 * only for comparing and for kma_cache_read(). False if the object is not in a slab. Context: any.
 */
bool kma_slab_of(unsigned long ptr, struct kma_slab *slab);

/* Does the module know where this kernel's slabs count the objects in use? */
bool kma_slab_counted(void);

/*
 * Bytes that an object takes, or 0 if unknown; any address is allowed. If the object is freed
 * already, the result may be that of another one there. @whole_pages is set for a large kmalloc(),
 * which is not in a slab.
 */
size_t kma_cache_given(const void *ptr, bool *whole_pages);

struct kma_cache_info {
	u32 size;			/* bytes that each object takes */
	u32 object_size;		/* bytes of @size that the user of the cache requested */
	char name[KMA_CACHE_NAME_LEN];	/* "-" if unknown */
};

/*
 * @s is from kma_slab_of(), may be destroyed, or no cache at all. False if there is no memory at
 * the address.
 */
bool kma_cache_read(const struct kmem_cache *s, struct kma_cache_info *info);

#define KMA_CACHE_LARGE		"[large kmalloc]"

/*
 * The name of an existing object's cache; KMA_CACHE_LARGE if it is not in a slab; empty if unknown.
 */
void kma_cache_name_of(const void *object, char name[KMA_CACHE_NAME_LEN]);

/* The name of a cache that exists; empty if unknown. */
void kma_cache_copy_name(const struct kmem_cache *s, char name[KMA_CACHE_NAME_LEN]);

/* s->size, the bytes that each object takes. Any context. */
static __always_inline size_t kma_cache_bytes(const struct kmem_cache *s)
{
	/* hidden, so that the compiler keeps it in one register, not in one of 32 bits as well */
	size_t bytes = *(const u32 *)((const char *)s + kma_cache_at.size_at);

	OPTIMIZER_HIDE_VAR(bytes);
	return bytes;
}

/* Has s->flags SLAB_ACCOUNT? Any value if the offset of flags is not known. Any context. */
static __always_inline bool kma_cache_accounts(const struct kmem_cache *s)
{
	return *(const slab_flags_t *)((const char *)s + kma_cache_at.flags_at) & SLAB_ACCOUNT;
}

/* s->object_size, the bytes that the user of the cache requested. Any context. */
static __always_inline size_t kma_cache_req(const struct kmem_cache *s)
{
	size_t req = *((const u32 *)((const char *)s + kma_cache_at.size_at) + 1);

	OPTIMIZER_HIDE_VAR(req);
	return req;
}

#endif /* KMA_KMEM_CACHE_H */

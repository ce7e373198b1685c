/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shrinker.h - a shrinker, which the kernel calls when memory is short.
 *
 * For pressure.c alone.
 */
#ifndef KMA_COMPAT_SHRINKER_H
#define KMA_COMPAT_SHRINKER_H

#include <linux/shrinker.h>
#include <linux/slab.h>

#ifdef KMA_NO_SHRINKER_ALLOC
/* c42d50aefd17 ("mm: shrinker: add infrastructure for dynamically allocating shrinker"), v6.7 */
static inline struct shrinker *kma_shrinker_alloc(void)
{
	return kzalloc(sizeof(struct shrinker), GFP_KERNEL);
}

static inline int kma_shrinker_register(struct shrinker *shrinker)
{
#ifdef KMA_SHRINKER_NO_NAME
	/* e33c267ab70d ("mm: shrinkers: provide shrinkers with names"), v6.0 */
	return register_shrinker(shrinker);
#else
	return register_shrinker(shrinker, "kmem_account");
#endif
}

/* Free a shrinker that is registered. */
static inline void kma_shrinker_free(struct shrinker *shrinker)
{
	unregister_shrinker(shrinker);
	kfree(shrinker);
}

/* Free a shrinker that could not be registered. */
static inline void kma_shrinker_drop(struct shrinker *shrinker)
{
	kfree(shrinker);
}
#else
static inline struct shrinker *kma_shrinker_alloc(void)
{
	return shrinker_alloc(0, "kmem_account");
}

static inline int kma_shrinker_register(struct shrinker *shrinker)
{
	shrinker_register(shrinker);
	return 0;
}

static inline void kma_shrinker_free(struct shrinker *shrinker)
{
	shrinker_free(shrinker);
}

static inline void kma_shrinker_drop(struct shrinker *shrinker)
{
	shrinker_free(shrinker);
}
#endif

#endif /* KMA_COMPAT_SHRINKER_H */

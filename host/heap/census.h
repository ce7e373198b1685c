/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * census.h - all objects of the slab allocator that are in use, by their caches.
 *
 * The module lists what was allocated since it was loaded. The slabs have everything: the struct
 * slab of each of their pages names the cache and the number of slots, and a slot that is on no
 * free list (slub.h) is an object in use. So a scan knows the objects that are older than the
 * module, and those of a machine without the module. Of these it knows the cache, and no call site.
 *
 * Left out: large kmalloc() blocks, which are no slabs, and the pages of KFENCE, whose objects are
 * at any place of a page.
 *
 * The kernel goes on meanwhile. A slot that is handed out between the walk along the free lists and
 * the walk along the slabs is taken for free, and one that is freed in between for an object.
 *
 * Memory: 48 bytes and a name for each cache.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_CENSUS_H
#define KMA_HEAP_CENSUS_H

#include "lib/map.h"
#include "listing.h"
#include "model/site.h"
#include "running.h"

/*
 * The call site of such objects has the cache: "[before: dentry]". SLUB merges caches whose objects are
 * of one size, and keeps one of their names: "[before: vmap_area, merged]".
 */
#define KMA_CENSUS_CALLER KMA_SITE_BEFORE_OF "%s%s]"

struct kma_census_cache; /* census.c */

struct kma_census {
	struct kma_map by_address;	 /* of struct kmem_cache */
	struct kma_census_cache *caches; /* by number of the map */
	uint32_t room;
	uint32_t first;		 /* number of the first cache's site */
	uint64_t slabs, unknown; /* of the last walk; of which were not understood, or of KFENCE */
};

/*
 * Call @fn for each slot of a slab, but for those in @known: a finished graph of objects and free
 * ranges. The caches get numbers of sites behind those of the first walk, and keep them in later
 * walks. The error: the kernel does not say where its slabs are.
 */
struct kma_err *kma_census_walk(struct kma_census *census, struct kma_running *running,
				const struct kma_graph *known, struct kma_listing_sites *sites,
				kma_listing_fn fn, void *arg);

/* The address of the struct kmem_cache that has got a number of a site. */
uint64_t kma_census_cache(const struct kma_census *census, uint32_t site);

/* Is a call site that of the objects of a cache, also if other caches are merged into it? */
bool kma_census_is(const char *caller, const char *cache);

void kma_census_deinit(struct kma_census *census);

#endif /* KMA_HEAP_CENSUS_H */

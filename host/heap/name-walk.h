/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name-walk.h - the objects of some types (name-types.h) among all slots of the slabs.
 *
 * A walk calls a function for each object that is in use, in the order of the slots. The slots come
 * from the slabs (census.h), so objects that are older than the module are among them.
 *
 * Memory: 64 bytes and a name for each cache, and during a walk each free object of all caches.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_NAME_WALK_H
#define KMA_HEAP_NAME_WALK_H

#include "census.h"
#include "lib/arena.h"
#include "name-types.h"
#include "running.h"

struct kma_name_walk {
	struct kma_running *running;
	struct kma_namer *namer;
	const struct kma_name_type *const *types; /* a list that ends with NULL */
	uint64_t symbol; /* address of the cache that a variable of the types has; 0: none */
	kma_namer_fn fn;
	void *arg;
	/* Zeroed at first, and kept between walks. */
	struct kma_census census;
	struct kma_listing_sites sites;
	struct kma_arena texts;
	struct kma_name_cache *caches; /* by number of the site, one for each type */
	uint32_t room;
};

/* Most types of a walk. */
#define KMA_NAME_WALK_TYPES 4

/* The error: the kernel does not say where its slabs, or their free objects, are. */
struct kma_err *kma_name_walk_run(struct kma_name_walk *walk);

/* @walk may be zeroed. */
void kma_name_walk_deinit(struct kma_name_walk *walk);

#endif /* KMA_HEAP_NAME_WALK_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * name-walk.c - find the objects of some types in the slabs.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "name-walk.h"

struct kma_name_cache {
	struct kma_name_slot slot[KMA_NAME_WALK_TYPES]; /* the last one of it, for each type */
	bool wanted[KMA_NAME_WALK_TYPES];
	bool known;
};

/* May a cache have objects of a type? */
static bool is_wanted(const struct kma_name_walk *walk, const struct kma_name_type *type,
		      const char *caller, uint64_t cache)
{
	if (!kma_namer_has(walk->namer, type))
		return false;
	if ((!type->caches[0] && !type->symbol) || (type->symbol && cache == walk->symbol))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(type->caches) && type->caches[i]; i++)
		if (kma_census_is(caller, type->caches[i]))
			return true;
	return false;
}

static struct kma_name_cache *cache_of(struct kma_name_walk *walk, uint32_t site)
{
	struct kma_name_cache *cache;
	const char *caller, *name;
	bool merged;
	size_t len;

	kma_array_reach(walk->caches, walk->room, site);
	cache = &walk->caches[site];
	if (cache->known)
		return cache;
	cache->known = true;
	caller = kma_listing_caller(&walk->sites, site);
	name = kma_site_before(caller, &len);
	merged = name[len] == *KMA_SITE_MERGED;
	name = kma_arena_text(&walk->texts, name, len);
	for (unsigned int i = 0; walk->types[i]; i++) {
		uint64_t of = kma_census_cache(&walk->census, site);

		cache->slot[i] =
			(struct kma_name_slot){ .name = name, .cache = of, .merged = merged };
		cache->wanted[i] = is_wanted(walk, walk->types[i], caller, of);
	}
	return cache;
}

static void slot_used(void *arg, const struct kma_listing_object *object)
{
	struct kma_name_walk *walk = arg;
	struct kma_name_cache *cache = cache_of(walk, object->site);

	for (unsigned int i = 0; walk->types[i]; i++) {
		const struct kma_name_type *type = walk->types[i];
		struct kma_name_slot *slot = &cache->slot[i];
		uint64_t at = object->addr;

		if (!cache->wanted[i])
			continue;
		slot->addr = at;
		slot->bytes = object->total;
		if (!type->is || type->is(walk->namer, slot, &at))
			walk->fn(walk->arg, i, at);
	}
}

struct kma_err *kma_name_walk_run(struct kma_name_walk *walk)
{
	_cleanup_graph_ struct kma_graph free = { 0 };
	const struct kma_heap_target *target = &walk->running->target;
	struct kma_slub_counts counts;
	struct kma_err *err;

	kma_running_free(walk->running, &free, &counts);
	kma_graph_finish(&free);
	if (!free.nr)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"no lists of free slab objects were found in the kernel");
	err = target->ops->find(target->arg, kma_graph_addr(free.objects));
	return err   ?:
		       kma_census_walk(&walk->census, walk->running, &free, &walk->sites, slot_used,
				       walk);
}

void kma_name_walk_deinit(struct kma_name_walk *walk)
{
	kma_census_deinit(&walk->census);
	kma_listing_sites_deinit(&walk->sites);
	kma_arena_deinit(&walk->texts);
	/* They have addresses, which a later scan must not find. */
	if (walk->caches)
		explicit_bzero(walk->caches, walk->room * sizeof(*walk->caches));
	free(walk->caches);
}

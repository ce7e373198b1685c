// SPDX-License-Identifier: GPL-2.0-only
/*
 * census.c - walk along the slabs of all caches.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "census.h"
#include "lib/array.h"
#include "lib/map.h"

#define NAME_MAX_BYTES 64	  /* of a cache's name; longer ones are cut */
#define SIZE_MOST      (4U << 20) /* bytes of a slot */

struct kma_census_cache {
	uint64_t key;	/* address of its struct kmem_cache, XORed with KMA_HEAP_KEY */
	uint64_t size;	/* bytes of a slot; 0: not a cache */
	uint64_t first; /* bytes of a slot before its object */
	uint32_t site;
};

struct walk {
	struct kma_census *census;
	struct kma_running *running;
	const struct kma_graph *known;
	struct kma_listing_sites *sites;
	kma_listing_fn fn;
	void *arg;
};

static bool word_at(const struct walk *walk, uint64_t addr, uint64_t *ret)
{
	return kma_target_word(&walk->running->target, addr, ret);
}

/* Read a text of printable letters; "?" in place of what cannot be read, or is none. */
static void name_at(const struct walk *walk, uint64_t addr, char name[NAME_MAX_BYTES])
{
	uint64_t word = 0;
	size_t len = 0;

	for (; len + 1 < NAME_MAX_BYTES; len++, addr++) {
		if ((!len || addr % 8 == 0) && !word_at(walk, addr & ~7ULL, &word))
			break;
		name[len] = word >> 8 * (addr % 8);
		if (!name[len] || name[len] <= ' ' || name[len] > '~' || name[len] == ']')
			break;
	}
	if (!len)
		name[len++] = '?';
	name[len] = '\0';
}

/* The cache at an address; a new one becomes a site. */
static const struct kma_census_cache *cache_at(struct walk *walk, uint64_t addr)
{
	const struct kma_slub_layout *layout = &walk->running->slub.layout;
	const struct kma_words *words = &walk->running->words;
	struct kma_listing_sites *sites = walk->sites;
	struct kma_census *census = walk->census;
	uint64_t key = addr ^ KMA_HEAP_KEY, name = 0;
	char caller[sizeof(KMA_CENSUS_CALLER KMA_SITE_MERGED) + NAME_MAX_BYTES];
	char text[NAME_MAX_BYTES];
	bool merged;
	struct kma_census_cache cache = { .key = key };
	uint32_t n = kma_map_find(&census->by_address, kma_map_number(key), i,
				  census->caches[i].key == key);

	if (n != KMA_MAP_NONE)
		return &census->caches[n];
	cache.size = kma_words_u32(words, addr + layout->size);
	if (layout->pad >= 0)
		cache.first = kma_words_u32(words, addr + layout->pad);
	if (cache.first >= cache.size || cache.size > SIZE_MOST)
		cache.size = 0;
	word_at(walk, addr + layout->name, &name);
	name_at(walk, name, text);
	/* A cache of kmalloc() has -1, and is merged with none. */
	merged = layout->refcount >= 0 &&
		 (int32_t)kma_words_u32(words, addr + layout->refcount) > 1;
	snprintf(caller, sizeof(caller), KMA_CENSUS_CALLER, text, merged ? KMA_SITE_MERGED : "");
	n = kma_map_add(&census->by_address, kma_map_number(key));
	cache.site = census->first + n;
	kma_array_reach(sites->callers, sites->nr, cache.site);
	sites->callers[cache.site] = kma_arena_text(&sites->texts, caller, strlen(caller));
	kma_array_room(census->caches, n, census->room);
	census->caches[n] = cache;
	return &census->caches[n];
}

/* @addr: of a slab in the direct map; @slab: of its struct slab. */
static void slab(void *arg, uint64_t addr, uint64_t slab)
{
	struct walk *walk = arg;
	const struct kma_slub_layout *layout = &walk->running->slub.layout;
	const struct kma_btf_member *member = &layout->slab_objects;
	const struct kma_census_cache *cache = NULL;
	uint64_t of = 0;
	uint32_t objects;

	walk->census->slabs++;
	if (word_at(walk, slab + layout->slab_cache, &of) && of)
		cache = cache_at(walk, of);
	objects = kma_words_u32(&walk->running->words, slab + (member->offset & ~3ULL));
	objects = objects >> (8 * (member->offset & 3) + member->bit) & ((1U << member->bits) - 1);
	/* A page of KFENCE has one object of any cache. */
	if (!cache || !cache->size || !objects ||
	    (objects == 1 && 2 * cache->size <= walk->running->slub.page)) {
		walk->census->unknown++;
		return;
	}
	for (uint32_t i = 0; i < objects; i++) {
		struct kma_listing_object object = {
			.addr = addr + cache->first + i * cache->size,
			.total = cache->size - cache->first,
			.site = cache->site,
		};

		if (!kma_graph_has(walk->known, object.addr))
			walk->fn(walk->arg, &object);
	}
}

struct kma_err *kma_census_walk(struct kma_census *census, struct kma_running *running,
				const struct kma_graph *known, struct kma_listing_sites *sites,
				kma_listing_fn fn, void *arg)
{
	const struct kma_slub_layout *layout = &running->slub.layout;
	struct walk walk = { census, running, known, sites, fn, arg };
	struct kma_err *err;

	if (!running->has_slub || layout->slab_cache < 0 || layout->name < 0 ||
	    !layout->slab_objects.bits)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, NULL, 0,
			"objects that are older than the module were not found: the kernel has no BTF, or another slab allocator");
	census->slabs = census->unknown = 0;
	if (!census->by_address.nr)
		census->first = sites->nr;
	err = running->target.ops->slabs(running->target.arg, slab, &walk);
	kma_target_forget(&running->target);
	return err;
}

uint64_t kma_census_cache(const struct kma_census *census, uint32_t site)
{
	return census->caches[site - census->first].key ^ KMA_HEAP_KEY;
}

bool kma_census_is(const char *caller, const char *cache)
{
	size_t len;
	const char *of = kma_site_before(caller, &len);

	return of && strlen(cache) == len && !memcmp(of, cache, len);
}

void kma_census_deinit(struct kma_census *census)
{
	kma_map_free(&census->by_address);
	free(census->caches);
	*census = (struct kma_census){ 0 };
}

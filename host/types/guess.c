// SPDX-License-Identifier: GPL-2.0-only
/*
 * guess.c - types by names and sizes.
 *
 * Neither a function nor a cache says for sure what an object is, so the size has to be that of the
 * type, and nothing else may fit:
 *
 *	Function. It returns a pointer to a struct of the size of the objects. Or to one inside of it, as
 *		alloc_inode() of a filesystem does, if one struct of all has this size and contains it
 *		as a large part.
 *	Cache. KMEM_CACHE() names a cache as its struct: "dentry". Others have a name that is made of it
 *		("inode_cache", "ext4_inode_cache"). Of merged caches only one name is left: SLUB puts
 *		objects of other structs of the same size into them. In the demo's account that is 0.3 %
 *		of the live bytes.
 */
#include <stdio.h>
#include <string.h>

#include "guess.h"
#include "lib/array.h"
#include "lib/cleanup.h"

#define CACHE_LINE 64UL /* bytes */
#define SHARE	   4   /* a struct that a function returns is at least 1 / SHARE of its container */
#define NAME_BYTES 100 /* of a struct, as it is made of the name of a cache */

/* The slot that kmalloc() takes for an object. */
static uint64_t slot_of(uint64_t size)
{
	uint64_t slot = 8;

	if (size > 64 && size <= 96)
		return 96;
	if (size > 128 && size <= 192)
		return 192;
	while (slot < size)
		slot *= 2;
	return slot;
}

/*
 * Are the objects of this size? A cache aligns them, and puts a pointer behind those that have a
 * constructor. kmalloc() has slots: their sum tells objects of one size from a mixture with that mean.
 */
static bool is_size(const struct kma_type_ask *ask, uint64_t size)
{
	uint64_t most = ask->exact ? size : size + sizeof(uint64_t);

	if (!size || !ask->objects || ask->bytes / size < ask->objects)
		return false;
	most = (most + CACHE_LINE - 1) & ~(CACHE_LINE - 1);
	if (ask->slab)
		return ask->bytes <= most * ask->objects;
	return ask->slots == slot_of(size) * ask->objects &&
	       (!ask->exact || ask->bytes == size * ask->objects);
}

/* Is a struct inside of a type? */
static bool contains(const struct kma_types *types, uint32_t number, uint32_t name,
		     unsigned int depth, unsigned int *visits)
{
	const struct kma_types_type *type = &types->types[number];

	for (uint32_t i = 0; i < type->nr && depth < KMA_TYPES_DEEP; i++) {
		const struct kma_types_member *member = &types->members[type->first + i];

		if (member->type == KMA_TYPES_NONE || member->nr)
			continue;
		if (++*visits >= KMA_TYPES_VISITS)
			return false;
		if (types->types[member->type].name == name ||
		    contains(types, member->type, name, depth + 1, visits))
			return true;
	}
	return false;
}

/* The only struct of the objects' size that contains another one. */
static uint32_t container(const struct kma_types *types, const struct kma_type_ask *ask,
			  uint32_t inner)
{
	uint32_t found = KMA_TYPES_NONE;
	unsigned int visits = 0;

	for (uint32_t i = 0; i < types->nr_types && ask->exact; i++) {
		const struct kma_types_type *type = &types->types[i];

		/* A small struct may be in anything: list_head. */
		if (type->size * ask->objects != ask->bytes || !is_size(ask, type->size) ||
		    type->size > SHARE * types->types[inner].size ||
		    !*kma_types_text(types, type->name) ||
		    !contains(types, i, types->types[inner].name, 0, &visits))
			continue;
		if (found != KMA_TYPES_NONE && types->types[found].name != type->name)
			return KMA_TYPES_NONE;
		found = i;
	}
	return visits < KMA_TYPES_VISITS ? found : KMA_TYPES_NONE;
}

uint32_t kma_types_by_return(const struct kma_types *types, const struct kma_by_btf *by,
			     const struct kma_type_ask *ask, const char *function)
{
	uint32_t number = kma_by_btf_returns(by, function);

	if (number == KMA_TYPES_NONE || !*kma_types_text(types, types->types[number].name) ||
	    !types->types[number].size)
		return KMA_TYPES_NONE;
	return is_size(ask, types->types[number].size) ? number : container(types, ask, number);
}

/*
 * The struct of a name and of the objects' size. Less than its size is allocated of a struct whose end
 * depends on the machine; @whole excludes that. NONE also if there are several such structs.
 */
static uint32_t named(struct kma_types *types, const struct kma_type_ask *ask, const char *text,
		      bool whole, bool *there)
{
	uint32_t name = kma_types_name(types, text), found = KMA_TYPES_NONE;

	for (uint32_t i = 0; i < types->nr_types; i++) {
		const struct kma_types_type *type = &types->types[i];

		if (type->name != name || !type->size || !(type->flags & KMA_TYPES_AGGREGATE))
			continue;
		*there = true;
		if (!is_size(ask, type->size) &&
		    (whole || ask->bytes / ask->objects >= type->size ||
		     ask->bytes / ask->objects <= type->end))
			continue;
		if (found != KMA_TYPES_NONE && types->types[found].size != type->size)
			return KMA_TYPES_NONE;
		found = i;
	}
	return found;
}

/* What the name of a cache has behind that of its struct, and what the struct has there. */
static const char *const endings[][2] = {
	{ "_cache", "" },      { "_cache", "_struct" },
	{ "_cache", "_info" }, { "_cache", "_inode_info" },
	{ "_cachep", "" },     { "_head_cache", "" },
};

uint32_t kma_types_by_cache(struct kma_types *types, const struct kma_type_ask *ask)
{
	const char *cache = ask->cache, *below = strchr(cache, '_');
	char name[NAME_BYTES];
	uint32_t found = KMA_TYPES_NONE, number;
	size_t len = strlen(cache);
	bool there = false;

	if (!ask->objects || !ask->bytes)
		return KMA_TYPES_NONE;
	number = named(types, ask, cache, false, &there);
	if (there)
		return number;
	for (size_t i = 0; i <= ARRAY_SIZE(endings); i++) {
		const char *const *ending = endings[i];
		size_t end = i < ARRAY_SIZE(endings) ? strlen(ending[0]) : 0;

		/* The last one: the struct lacks the name of the driver in front. */
		if (i == ARRAY_SIZE(endings) && below)
			snprintf(name, sizeof(name), "%s", below + 1);
		else if (end && len > end && !strcmp(cache + len - end, ending[0]))
			snprintf(name, sizeof(name), "%.*s%s", (int)(len - end), cache, ending[1]);
		else
			continue;
		number = named(types, ask, name, true, &there);
		if (number == KMA_TYPES_NONE)
			continue;
		if (found != KMA_TYPES_NONE)
			return KMA_TYPES_NONE;
		found = number;
	}
	return found;
}

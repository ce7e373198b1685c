// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-seen.c - the table of all addresses of an event log.
 */
#include <stdlib.h>
#include <string.h>

#include "log-seen.h"

#define KMA_SEEN_FIRST 4096 /* slots at first; a power of two */

struct kma_seen_map {
	struct kma_seen *all;
	size_t room, nr;
};

struct kma_err *kma_seen_create(struct kma_seen_map **ret)
{
	struct kma_seen_map *map = calloc(1, sizeof(*map));

	if (map)
		map->all = calloc(KMA_SEEN_FIRST, sizeof(*map->all));
	if (!map || !map->all) {
		free(map);
		return &kma_enomem;
	}
	map->room = KMA_SEEN_FIRST;
	*ret = map;
	return NULL;
}

void kma_seen_destroy(struct kma_seen_map *map)
{
	if (!map)
		return;
	free(map->all);
	free(map);
}

/* The slot of an address, or the free slot where it belongs. */
static struct kma_seen *kma_seen_find(const struct kma_seen_map *map, uint64_t ptr)
{
	uint64_t hash = ptr * 0x9e3779b97f4a7c15;
	size_t at = (hash ^ hash >> 32) & (map->room - 1);

	while (map->all[at].ptr && map->all[at].ptr != ptr)
		at = (at + 1) & (map->room - 1);
	return &map->all[at];
}

static struct kma_err *kma_seen_grow(struct kma_seen_map *map)
{
	struct kma_seen_map bigger = { .room = map->room * 2, .nr = map->nr };

	bigger.all = calloc(bigger.room, sizeof(*bigger.all));
	if (!bigger.all)
		return &kma_enomem;
	for (size_t i = 0; i < map->room; i++)
		if (map->all[i].ptr)
			*kma_seen_find(&bigger, map->all[i].ptr) = map->all[i];
	free(map->all);
	*map = bigger;
	return NULL;
}

struct kma_err *kma_seen_get(struct kma_seen_map *map, uint64_t ptr, struct kma_seen **ret)
{
	struct kma_err *err = NULL;

	if (map->nr >= map->room / 4 * 3)
		err = kma_seen_grow(map);
	if (err)
		return err;
	*ret = kma_seen_find(map, ptr);
	if (!(*ret)->ptr) {
		(*ret)->ptr = ptr;
		map->nr++;
	}
	return NULL;
}

void kma_seen_each(const struct kma_seen_map *map,
		   void (*fn)(void *arg, const struct kma_seen *seen), void *arg)
{
	for (size_t i = 0; i < map->room; i++)
		if (map->all[i].ptr)
			fn(arg, &map->all[i]);
}

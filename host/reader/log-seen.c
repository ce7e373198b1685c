// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-seen.c - the table of all addresses of an event log.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/map.h"
#include "log-seen.h"

struct kma_seen_map {
	struct kma_map map;
	struct kma_seen *list;
	size_t room;
};

struct kma_seen_map *kma_seen_create(void)
{
	return kma_xcalloc(1, sizeof(struct kma_seen_map));
}

void kma_seen_destroy(struct kma_seen_map *map)
{
	if (!map)
		return;
	kma_map_free(&map->map);
	free(map->list);
	free(map);
}

struct kma_seen *kma_seen_get(struct kma_seen_map *map, uint64_t ptr)
{
	uint32_t hash = kma_map_number(ptr);
	uint32_t found = kma_map_find(&map->map, hash, i, map->list[i].ptr == ptr);

	if (found == KMA_MAP_NONE) {
		kma_array_room(map->list, map->map.nr, map->room);
		found = kma_map_add(&map->map, hash);
		map->list[found] = (struct kma_seen){ .ptr = ptr };
	}
	return &map->list[found];
}

const struct kma_seen *kma_seen_all(const struct kma_seen_map *map, size_t *nr)
{
	*nr = map->map.nr;
	return map->list;
}

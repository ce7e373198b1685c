// SPDX-License-Identifier: GPL-2.0-only
/*
 * map.c - the hash table of the program.
 */
#include <stdlib.h>

#include "alloc.h"
#include "map.h"

#define KMA_MAP_SLOTS 1024 /* at first */

void kma_map_free(struct kma_map *map)
{
	free(map->slots);
	*map = (struct kma_map){ 0 };
}

static void put(struct kma_map *map, struct kma_map_slot slot)
{
	uint32_t at = slot.hash;

	while (map->slots[at & map->mask].number)
		at++;
	map->slots[at & map->mask] = slot;
}

static void grow(struct kma_map *map)
{
	size_t room = map->slots ? 2 * ((size_t)map->mask + 1) : KMA_MAP_SLOTS;
	struct kma_map bigger = { .mask = room - 1, .nr = map->nr };

	/* half of the slots that 32 bits can number; @room is right where size_t has no more bits */
	if (map->mask > UINT32_MAX / 4)
		kma_atend_no_memory();
	bigger.slots = kma_xcalloc(room, sizeof(*bigger.slots));
	for (size_t i = 0; i < room / 2 && map->slots; i++)
		if (map->slots[i].number)
			put(&bigger, map->slots[i]);
	free(map->slots);
	*map = bigger;
}

uint32_t kma_map_add(struct kma_map *map, uint32_t hash)
{
	if (!map->slots || map->nr > map->mask / 2)
		grow(map);
	put(map, (struct kma_map_slot){ hash, ++map->nr });
	return map->nr - 1;
}

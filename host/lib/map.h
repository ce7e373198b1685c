/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map.h - the hash table of the program. It finds the number of a key; the keys and what belongs to
 * them are in an array of the owner, by number. Numbers begin with 0 and have the order in which
 * the keys were added, so a walk over the array does not depend on hashes. Nothing is ever removed.
 *
 *	struct kma_map map;	(all zero: empty)
 *	struct thing *things;	(room for map.nr + 1, as by kma_array_room())
 *
 *	hash = kma_map_text(name, strlen(name));
 *	n = kma_map_find(&map, hash, i, !strcmp(things[i].name, name));
 *	if (n == KMA_MAP_NONE)
 *		n = kma_map_add(&map, hash);
 *
 * A slot has 8 bytes, a hash and a number; open addressing with linear probing, at most half full.
 * The hash in the slot keeps most other keys from being compared, and the table grows without the
 * keys. Hashes are not safe against chosen collisions; these only cost time.
 */
#ifndef KMA_LIB_MAP_H
#define KMA_LIB_MAP_H

#include <stddef.h>
#include <stdint.h>

/* Inlined, because each line of a log waits for the hash of its call site. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#define KMA_MAP_NONE UINT32_MAX

struct kma_map_slot {
	uint32_t hash, number; /* the number of the key plus 1; 0: a free slot */
};

struct kma_map {
	struct kma_map_slot *slots;
	uint32_t mask; /* number of slots, a power of two, less 1 */
	uint32_t nr;   /* keys */
};

void kma_map_free(struct kma_map *map);

/* Add a key that is not in the map. Returns its number, which is the last one. */
uint32_t kma_map_add(struct kma_map *map, uint32_t hash);

/* Hashes of a text (XXH3) and of a number. */
static inline uint32_t kma_map_text(const char *text, size_t len)
{
	return XXH3_64bits(text, len);
}

static inline uint32_t kma_map_number(uint64_t number)
{
	uint64_t hash = number * 0x9e3779b97f4a7c15;

	return hash ^ hash >> 32;
}

/*
 * The number of a key, or KMA_MAP_NONE. @same is an expression that says whether key number @i of
 * the owner's array, a variable that the macro declares, is the one that is looked for.
 */
#define kma_map_find(map, key_hash, i, same)                             \
	({                                                               \
		const struct kma_map *kma_in = (map);                    \
		const uint32_t kma_hash = (key_hash);                    \
		uint32_t kma_found = KMA_MAP_NONE;                       \
		for (uint32_t kma_at = kma_hash; kma_in->nr; kma_at++) { \
			const struct kma_map_slot *kma_slot =            \
				&kma_in->slots[kma_at & kma_in->mask];   \
			uint32_t i = kma_slot->number - 1;               \
			if (!kma_slot->number)                           \
				break;                                   \
			if (kma_slot->hash == kma_hash && (same)) {      \
				kma_found = i;                           \
				break;                                   \
			}                                                \
		}                                                        \
		kma_found;                                               \
	})

#endif /* KMA_LIB_MAP_H */

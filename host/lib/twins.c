// SPDX-License-Identifier: GPL-2.0-only
/*
 * twins.c - find equal texts with a hash table: open addressing, at most half full. A slot has the
 * hash of its text, so that a text is compared only with those that are probably equal.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cleanup.h"
#include "twins.h"

#define KMA_TWINS_MIN 64 /* slots; a power of two */

struct kma_twins_slot {
	size_t number; /* index of the text plus 1; 0: a free slot */
	uint64_t hash;
};

struct kma_err *kma_twins_find(size_t nr, const char *(*text)(const void *arg, size_t i),
			       const void *arg, bool **ret)
{
	_cleanup_free_ struct kma_twins_slot *slots = NULL;
	size_t room = KMA_TWINS_MIN;

	*ret = NULL;
	while (room / 2 < nr)
		room *= 2;
	slots = calloc(room, sizeof(*slots));
	if (!slots)
		return &kma_enomem;
	for (size_t i = 0; i < nr; i++) {
		const char *this = text(arg, i);
		uint64_t hash = XXH3_64bits(this, strlen(this));
		struct kma_twins_slot *slot = &slots[hash & (room - 1)];

		while (slot->number &&
		       (slot->hash != hash || strcmp(text(arg, slot->number - 1), this) != 0))
			slot = slot + 1 < slots + room ? slot + 1 : slots;
		if (!slot->number) {
			*slot = (struct kma_twins_slot){ i + 1, hash };
			continue;
		}
		*ret = *ret ?: calloc(nr, sizeof(**ret));
		if (!*ret)
			return &kma_enomem;
		(*ret)[i] = (*ret)[slot->number - 1] = true;
	}
	return NULL;
}

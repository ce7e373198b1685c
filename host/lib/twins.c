// SPDX-License-Identifier: GPL-2.0-only
/*
 * twins.c - find equal texts.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "map.h"
#include "twins.h"

bool *kma_twins_find(size_t nr, const char *(*text)(const void *arg, size_t i), const void *arg)
{
	size_t *firsts = kma_xcalloc(nr, sizeof(*firsts)); /* of each different text, the first */
	struct kma_map map = { 0 };
	bool *ret = NULL;

	for (size_t i = 0; i < nr; i++) {
		const char *this = text(arg, i);
		uint32_t hash = kma_map_text(this, strlen(this));
		uint32_t found = kma_map_find(&map, hash, k, !strcmp(text(arg, firsts[k]), this));

		if (found == KMA_MAP_NONE) {
			firsts[kma_map_add(&map, hash)] = i;
			continue;
		}
		ret = ret ?: kma_xcalloc(nr, sizeof(*ret));
		ret[i] = ret[firsts[found]] = true;
	}
	kma_map_free(&map);
	free(firsts);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * texts.c - store each different text once.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "array.h"
#include "texts.h"

void kma_texts_deinit(struct kma_texts *texts)
{
	kma_strbuf_deinit(&texts->pool);
	kma_map_free(&texts->map);
	free(texts->at);
}

uint32_t kma_texts_add(struct kma_texts *texts, const char *text)
{
	size_t len = strlen(text);
	uint32_t hash = kma_map_text(text, len), number;

	pthread_mutex_lock(&texts->lock);
	number = kma_map_find(&texts->map, hash, i, !strcmp(kma_texts_get(texts, i), text));
	if (number == KMA_MAP_NONE) {
		if (texts->pool.len > UINT32_MAX)
			kma_atend_no_memory();
		kma_array_room(texts->at, texts->map.nr, texts->room);
		number = kma_map_add(&texts->map, hash);
		texts->at[number] = texts->pool.len;
		kma_strbuf_add(&texts->pool, text, len + 1);
	}
	pthread_mutex_unlock(&texts->lock);
	return number;
}

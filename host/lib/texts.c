// SPDX-License-Identifier: GPL-2.0-only
/*
 * texts.c - store each different text once.
 */
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "arena.h"
#include "array.h"
#include "texts.h"

/* The texts of kma_text(). */
static struct {
	struct kma_arena arena;
	struct kma_map map;
	const char **texts; /* by number */
	size_t nr, room;
} kept;

const char *kma_text(const char *text, size_t len)
{
	uint32_t hash = kma_map_text(text, len);
	uint32_t number = kma_map_find(&kept.map, hash, i,
				       !strncmp(kept.texts[i], text, len) && !kept.texts[i][len]);

	if (number != KMA_MAP_NONE)
		return kept.texts[number];
	kma_map_add(&kept.map, hash);
	kma_array_room(kept.texts, kept.nr, kept.room);
	return kept.texts[kept.nr++] = kma_arena_text(&kept.arena, text, len);
}

void kma_text_forget(void)
{
	kma_arena_deinit(&kept.arena);
	kma_map_free(&kept.map);
	free(kept.texts);
	kept.texts = NULL;
	kept.nr = 0;
	kept.room = 0;
}

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

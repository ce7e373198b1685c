// SPDX-License-Identifier: GPL-2.0-only
/*
 * texts.c - store each different text once.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "texts.h"

/* First number of slots of the hash table; it doubles when it is half full. */
#define KMA_TEXTS_SLOTS 4096

struct kma_err *kma_texts_init(struct kma_texts *texts)
{
	uint32_t empty;

	memset(texts, 0, sizeof(*texts));
	pthread_mutex_init(&texts->lock, NULL);
	return kma_texts_add(texts, "", &empty);
}

void kma_texts_deinit(struct kma_texts *texts)
{
	kma_strbuf_deinit(&texts->pool);
	free(texts->at);
	free(texts->slots);
	pthread_mutex_destroy(&texts->lock);
}

static const char *kma_texts_of(const struct kma_texts *texts, uint32_t number)
{
	return texts->pool.str + texts->at[number];
}

/* The slot of a text, or the free one where it belongs. */
static uint32_t *kma_texts_slot(const struct kma_texts *texts, const char *text, size_t len)
{
	uint32_t i = XXH3_64bits(text, len) & texts->mask;

	while (texts->slots[i] && strcmp(kma_texts_of(texts, texts->slots[i] - 1), text))
		i = (i + 1) & texts->mask;
	return &texts->slots[i];
}

static struct kma_err *kma_texts_grow(struct kma_texts *texts)
{
	uint32_t size = texts->slots ? (texts->mask + 1) * 2 : KMA_TEXTS_SLOTS;
	uint32_t *slots = calloc(size, sizeof(*slots));
	uint32_t *at = realloc(texts->at, size / 2 * sizeof(*at));

	if (at)
		texts->at = at;
	if (!slots || !at) {
		free(slots);
		return &kma_enomem;
	}
	free(texts->slots);
	texts->slots = slots;
	texts->mask = size - 1;
	texts->alloc = size / 2;
	for (uint32_t i = 0; i < texts->nr; i++) {
		const char *text = kma_texts_of(texts, i);

		*kma_texts_slot(texts, text, strlen(text)) = i + 1;
	}
	return NULL;
}

static struct kma_err *kma_texts_add_locked(struct kma_texts *texts, const char *text,
					    uint32_t *ret)
{
	struct kma_err *err = NULL;
	size_t len = strlen(text);
	uint32_t *slot;

	if (texts->nr == texts->alloc)
		err = kma_texts_grow(texts);
	if (err)
		return err;
	slot = kma_texts_slot(texts, text, len);
	if (!*slot) {
		size_t at = texts->pool.len;

		kma_strbuf_add(&texts->pool, text, len + 1);
		if (!kma_strbuf_ok(&texts->pool) || texts->pool.len > UINT32_MAX)
			return &kma_enomem;
		texts->at[texts->nr] = at;
		*slot = ++texts->nr;
	}
	*ret = *slot - 1;
	return NULL;
}

struct kma_err *kma_texts_add(struct kma_texts *texts, const char *text, uint32_t *ret)
{
	struct kma_err *err;

	pthread_mutex_lock(&texts->lock);
	err = kma_texts_add_locked(texts, text, ret);
	pthread_mutex_unlock(&texts->lock);
	return err;
}

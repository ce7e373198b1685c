// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbered.c - number texts.
 */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "numbered.h"

static uint32_t *kma_numbered_slot(const struct kma_numbered *names, const char *text)
{
	size_t i = XXH3_64bits(text, strlen(text));

	for (;; i++) {
		uint32_t *slot = &names->slots[i & (names->nr_slots - 1)];

		if (!*slot || !strcmp(names->list[*slot - 1], text))
			return slot;
	}
}

static struct kma_err *kma_numbered_grow(struct kma_numbered *names)
{
	size_t nr_slots = names->nr_slots ? names->nr_slots * 2 : 256;
	const char **list = realloc(names->list, nr_slots / 2 * sizeof(*list));
	uint32_t *slots;

	if (!list)
		return &kma_enomem;
	names->list = list;
	slots = calloc(nr_slots, sizeof(*slots));
	if (!slots)
		return &kma_enomem;
	names->alloc = nr_slots / 2;
	free(names->slots);
	names->slots = slots;
	names->nr_slots = nr_slots;
	for (size_t i = 0; i < names->nr; i++)
		*kma_numbered_slot(names, names->list[i]) = i + 1;
	return NULL;
}

struct kma_err *kma_numbered_add(struct kma_numbered *names, const char *text, size_t *ret)
{
	struct kma_err *err = names->nr == names->alloc ? kma_numbered_grow(names) : NULL;
	uint32_t *slot;

	if (err)
		return err;
	slot = kma_numbered_slot(names, text);
	if (!*slot) {
		names->list[names->nr] = kma_arena_text(&names->arena, text, strlen(text));
		if (!names->list[names->nr])
			return &kma_enomem;
		*slot = ++names->nr;
	}
	*ret = *slot - 1;
	return NULL;
}

void kma_numbered_deinit(struct kma_numbered *names)
{
	kma_arena_deinit(&names->arena);
	free(names->list);
	free(names->slots);
	*names = (struct kma_numbered){ 0 };
}

// SPDX-License-Identifier: GPL-2.0
/*
 * arena.c - many small texts that all go at once.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

#define KMA_ARENA_CHUNK 65536

struct kma_arena_chunk {
	struct kma_arena_chunk *next;
	char *end;
	char text[];
};

void kma_arena_init(struct kma_arena *arena)
{
	memset(arena, 0, sizeof(*arena));
}

void kma_arena_deinit(struct kma_arena *arena)
{
	struct kma_arena_chunk *chunk, *next;

	for (chunk = arena->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	kma_arena_init(arena);
}

/* What is left in the chunk before is given up: texts are short beside a chunk. */
static int kma_arena_grow(struct kma_arena *arena, size_t need)
{
	size_t room = need > KMA_ARENA_CHUNK ? need : KMA_ARENA_CHUNK;
	struct kma_arena_chunk *chunk;

	if (room > SIZE_MAX - sizeof(*chunk))
		return -1;
	chunk = malloc(sizeof(*chunk) + room);
	if (!chunk)
		return -1;
	chunk->next = arena->chunks;
	chunk->end = chunk->text + room;
	arena->chunks = chunk;
	arena->left = room;
	arena->bytes += sizeof(*chunk) + room;
	return 0;
}

char *kma_arena_text(struct kma_arena *arena, const char *text, size_t len)
{
	char *copy;

	if (len == SIZE_MAX || (len + 1 > arena->left && kma_arena_grow(arena, len + 1)))
		return NULL;
	copy = arena->chunks->end - arena->left;
	arena->left -= len + 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

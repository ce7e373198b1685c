/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - many small texts and structures that are freed together. They are in chunks that never
 * move, so each keeps its address until the arena is destroyed. A single one cannot be freed.
 */
#ifndef KMA_LIB_ARENA_H
#define KMA_LIB_ARENA_H

#include <stddef.h>

struct kma_arena {
	struct kma_arena_chunk *chunks; /* newest first */
	size_t left;			/* bytes free in the newest */
	size_t bytes;			/* asked of malloc() so far */
};

/**
 * kma_arena_init() - an empty arena; takes no memory yet
 * @arena: owned by the caller
 */
void kma_arena_init(struct kma_arena *arena);

/**
 * kma_arena_deinit() - free all that was taken from it
 * @arena: as initialised
 */
void kma_arena_deinit(struct kma_arena *arena);

/**
 * kma_arena_text() - keep a copy of a text
 * @arena: the arena
 * @text: need not be terminated
 * @len: its bytes
 *
 * Return: a copy, terminated, that stays until kma_arena_deinit(); NULL without memory.
 */
char *kma_arena_text(struct kma_arena *arena, const char *text, size_t len);

/**
 * kma_arena_zalloc() - memory for a structure
 * @arena: the arena
 * @size: bytes, more than 0
 *
 * Return: zeroed memory, aligned for any type, that stays until kma_arena_deinit(); NULL
 * without memory.
 */
void *kma_arena_zalloc(struct kma_arena *arena, size_t size);

/**
 * kma_arena_bytes() - memory that it takes
 * @arena: the arena
 *
 * Return: bytes, what is not used yet included.
 */
static inline size_t kma_arena_bytes(const struct kma_arena *arena)
{
	return arena->bytes;
}

#endif /* KMA_LIB_ARENA_H */

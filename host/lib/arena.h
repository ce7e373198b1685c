/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - memory for many small texts and structures that are freed together, and memory for
 * large arrays.
 *
 * An allocation of an arena takes the next bytes of the current chunk: no header, no search, and texts are not
 * aligned. Chunks have 64 KiB; an arena above 256 KiB takes huge pages of 2 MiB. An
 * allocation that does not fit into the rest of the current chunk starts a new one, which is larger
 * if needed.
 *
 * Chunks never move, so each allocation keeps its address until the arena is destroyed. Single
 * allocations are never freed or resized.
 *
 * Large arrays and large arenas are in huge pages. The page faults of memory that is written and
 * read once take longer than the work on it, and reading it in another order misses the TLB at each
 * step. Huge pages reduce both. The kernel may ignore the request: the memory then consists of
 * ordinary pages.
 *
 * Locking: none. One thread allocates; other threads may read what they got from it.
 */
#ifndef KMA_LIB_ARENA_H
#define KMA_LIB_ARENA_H

#include <stddef.h>

struct kma_arena {
	struct kma_arena_chunk *chunks; /* newest first */
	size_t left;			/* free bytes at the end of the newest chunk */
	size_t bytes;			/* bytes of all chunks */
};

/**
 * kma_arena_init() - make an empty arena, which has no chunk yet
 * @arena: owned by the caller; a zeroed arena is empty, too
 */
void kma_arena_init(struct kma_arena *arena);

/* Free all allocations; the arena is empty afterwards. */
void kma_arena_deinit(struct kma_arena *arena);

/**
 * kma_arena_text() - copy a text into an arena
 * @arena: the arena
 * @text: need not be terminated
 * @len: bytes of @text
 *
 * Return: a terminated copy, valid until kma_arena_deinit().
 */
char *kma_arena_text(struct kma_arena *arena, const char *text, size_t len);

/**
 * kma_arena_zalloc() - allocate memory for a structure
 * @arena: the arena
 * @size: bytes, more than 0
 *
 * Return: zeroed memory, aligned for any type, valid until kma_arena_deinit().
 */
void *kma_arena_zalloc(struct kma_arena *arena, size_t size);

/**
 * kma_arena_bytes() - get the size of an arena
 * @arena: the arena
 *
 * Return: bytes of all chunks, including unused ones.
 */
size_t kma_arena_bytes(const struct kma_arena *arena);

/**
 * kma_huge_try() - allocate an array that is expected to become large
 * @size: bytes; below 2 MiB the function uses malloc(), above it rounds up to huge pages
 *
 * Return: memory for free() and realloc(), not zeroed; NULL if the allocation fails: the size may be
 * what a wrong header of an input states, so that the caller can still do without.
 */
void *kma_huge_try(size_t size);

#endif /* KMA_LIB_ARENA_H */

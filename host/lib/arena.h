/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - memory for many small texts and structures that are freed together, and memory for
 * large arrays.
 *
 * An allocation takes the next bytes of the current chunk: no header, no search, and texts are not
 * aligned. Chunks have 64 KiB; an arena above 256 KiB takes huge pages of 2 MiB. An allocation that
 * does not fit into the rest of the current chunk starts a new one, which is larger if needed.
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

/* A zeroed arena is empty, too. */
void kma_arena_init(struct kma_arena *arena);

/* Frees all allocations. The arena is empty afterwards. */
void kma_arena_deinit(struct kma_arena *arena);

/* A terminated copy of @text, which need not be terminated. */
char *kma_arena_text(struct kma_arena *arena, const char *text, size_t len);

/* Zeroed memory that is aligned for any type. @size is not 0. */
void *kma_arena_zalloc(struct kma_arena *arena, size_t size);

/* Bytes of all chunks, including unused ones. */
size_t kma_arena_bytes(const struct kma_arena *arena);

/*
 * Memory for a large array, for free() and realloc(); it is not zeroed. From 2 MiB on the size is
 * rounded up to huge pages. Returns NULL if the allocation fails: the size may come from a corrupt
 * header, and the caller can still do without.
 */
void *kma_huge_try(size_t size);

#endif /* KMA_LIB_ARENA_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * arena.c - memory for many small texts and structures that are freed together, and memory for
 * large arrays.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "alloc.h"
#include "arena.h"

#define KMA_HUGE_PAGE	(2UL << 20)
#define KMA_ARENA_CHUNK 65536 /* bytes of a chunk */
/* An arena of at least so many bytes gets chunks that are huge pages. */
#define KMA_ARENA_LARGE (4 * KMA_ARENA_CHUNK)
#define KMA_ARENA_ALIGN _Alignof(max_align_t)

/* A chunk. Its space starts and ends at addresses that are aligned for any type. */
struct kma_arena_chunk {
	struct kma_arena_chunk *next;
	char *end;
	char text[] __attribute__((aligned(KMA_ARENA_ALIGN)));
};

void *kma_huge_try(size_t size)
{
	void *mem;

	if (size < KMA_HUGE_PAGE || size > SIZE_MAX - KMA_HUGE_PAGE)
		return malloc(size);
	size = (size + KMA_HUGE_PAGE - 1) & ~(KMA_HUGE_PAGE - 1);
	mem = aligned_alloc(KMA_HUGE_PAGE, size);
	if (mem)
		madvise(mem, size, MADV_HUGEPAGE);
	return mem;
}

static void *huge_alloc(size_t size)
{
	return kma_huge_try(size) ?: kma_xmalloc(size);
}

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

/*
 * Add a chunk with at least @need bytes. The rest of the previous chunk stays unused: allocations
 * are small compared with a chunk.
 */
static void arena_grow(struct kma_arena *arena, size_t need)
{
	size_t size = arena->bytes < KMA_ARENA_LARGE ? KMA_ARENA_CHUNK : KMA_HUGE_PAGE;
	struct kma_arena_chunk *chunk;

	if (need > SIZE_MAX - sizeof(*chunk) - KMA_ARENA_ALIGN)
		kma_atend_no_memory();
	need = (need + sizeof(*chunk) + KMA_ARENA_ALIGN - 1) & ~(KMA_ARENA_ALIGN - 1);
	if (need > size)
		size = need;
	chunk = huge_alloc(size);
	chunk->next = arena->chunks;
	chunk->end = (char *)chunk + size;
	arena->chunks = chunk;
	arena->left = chunk->end - chunk->text;
	arena->bytes += size;
}

char *kma_arena_text(struct kma_arena *arena, const char *text, size_t len)
{
	char *copy;

	if (len + 1 > arena->left)
		arena_grow(arena, len + 1);
	copy = arena->chunks->end - arena->left;
	arena->left -= len + 1;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void *kma_arena_zalloc(struct kma_arena *arena, size_t size)
{
	char *mem;

	/* The end of the chunk is aligned, so an aligned rest begins at an aligned address. */
	arena->left &= ~(KMA_ARENA_ALIGN - 1);
	if (size > arena->left)
		arena_grow(arena, size);
	mem = arena->chunks->end - arena->left;
	arena->left -= size;
	return memset(mem, 0, size);
}

size_t kma_arena_bytes(const struct kma_arena *arena)
{
	return arena->bytes;
}

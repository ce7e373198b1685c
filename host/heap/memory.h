/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - the contract between the heap graph and the memory that it scans.
 *
 * The graph (graph.h) knows addresses only. A target (kcore.h: the running kernel; an array in the
 * unit test) says which addresses can be read, and reads them. Each thread of a scan has its own
 * reader.
 */
#ifndef KMA_HEAP_MEMORY_H
#define KMA_HEAP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

#define KMA_HEAP_PAGE 4096

/* Pages that a reader reads at a time: 1 MiB. */
#define KMA_HEAP_PAGES 256

/* Most threads of a scan, each with a reader. */
#define KMA_HEAP_THREADS 8

/* Addresses of memory, both aligned to KMA_HEAP_PAGE; @end is not part of the area. */
struct kma_memory_area {
	uint64_t start, end;
};

struct kma_memory {
	const struct kma_memory_area *areas; /* sorted; they do not overlap */
	size_t nr_areas;
	const void *arg; /* passed to @open */

	/* Make a reader for one thread; at most KMA_HEAP_THREADS are open at a time. */
	void *(*open)(const void *arg);
	/*
	 * Read @nr pages from @addr, up to KMA_HEAP_PAGES, into @buf. Sets there[i] to false for a
	 * page that is left out, because it does not hold data of the kernel or cannot be read.
	 * False if the scan is useless; @error then says why. A thread does not end the program, so
	 * a read needs no memory.
	 */
	bool (*read)(void *reader, uint64_t addr, size_t nr, char *buf, bool *there);
	struct kma_err *(*error)(const void *arg);
	/*
	 * Called by a thread before it ends, with its @buf: overwrite what the reads have left on
	 * the thread's stack in the kernel. May be NULL.
	 */
	void (*forget)(void *reader, char *buf);
	/* Free a reader. */
	void (*close)(void *reader);
};

/* Reads single words at addresses of the kernel, for code that follows its structures. */
struct kma_words {
	/* Read the aligned word at @addr; false if nothing can be read there. */
	bool (*word)(void *arg, uint64_t addr, uint64_t *ret);
	void *arg;
};

/* A number of 4 bytes at any multiple of 4; false if it cannot be read. */
static inline bool kma_words_half(const struct kma_words *words, uint64_t addr, uint64_t *ret)
{
	if (!words->word(words->arg, addr & ~7ULL, ret))
		return false;
	*ret = *ret >> 8 * (addr & 4) & UINT32_MAX;
	return true;
}

/* The same; 0 if it cannot be read. */
static inline uint32_t kma_words_u32(const struct kma_words *words, uint64_t addr)
{
	uint64_t half;

	return kma_words_half(words, addr, &half) ? half : 0;
}

/* Gets an area of memory. */
typedef void (*kma_area_fn)(void *arg, uint64_t addr, uint64_t len);

#endif /* KMA_HEAP_MEMORY_H */

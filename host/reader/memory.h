/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - what a kernel itself says of its memory: /proc/meminfo and /proc/slabinfo, of this
 * machine or as files.
 */
#ifndef KMA_READER_MEMORY_H
#define KMA_READER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"

/* A line of meminfo. */
struct kma_meminfo_line {
	const char *name; /* "MemTotal" */
	uint64_t bytes;	  /* of a line without kB, the number itself */
};

struct kma_meminfo {
	struct kma_arena arena;
	struct kma_meminfo_line *lines;
	size_t nr;
};

/* A slab cache of slabinfo. SLUB counts free objects on the slabs of a CPU as active. */
struct kma_slab {
	const char *name;
	uint64_t active;  /* objects in use */
	uint64_t objects; /* in use and free */
	uint64_t size;	  /* bytes of one object */
	uint64_t slabs;
	uint64_t pages; /* of one slab */
};

struct kma_slabinfo {
	struct kma_arena arena;
	struct kma_slab *slabs;
	size_t nr;
	uint64_t bytes;	   /* of all active objects */
	uint64_t nr_pages; /* of all slabs */
};

/**
 * kma_memory_is_here() - check whether a file is of the machine that the program runs on
 * @path: its name
 *
 * Return: true if it lies below /proc or /sys.
 */
bool kma_memory_is_here(const char *path);

/**
 * kma_meminfo_read() - read /proc/meminfo
 * @path: its name
 * @ret: filled in; to be deinitialised, also after an error
 *
 * Return: NULL or an error: no file, a line that is none, no MemTotal.
 */
struct kma_err *kma_meminfo_read(const char *path, struct kma_meminfo *ret);

/**
 * kma_meminfo_deinit() - free the lines
 * @meminfo: from kma_meminfo_read(), or zeroed
 */
void kma_meminfo_deinit(struct kma_meminfo *meminfo);

/**
 * kma_meminfo_get() - look up a line
 * @meminfo: the lines
 * @name: without the colon
 * @ret: its bytes, 0 if there is no such line
 *
 * Return: false if there is no such line: kernels have different ones.
 */
bool kma_meminfo_get(const struct kma_meminfo *meminfo, const char *name, uint64_t *ret);

/**
 * kma_slabinfo_read() - read /proc/slabinfo
 * @path: its name
 * @ret: filled in; to be deinitialised, also after an error
 *
 * Return: NULL or an error: no file, another version than 2.1, an invalid line, no slab cache.
 */
struct kma_err *kma_slabinfo_read(const char *path, struct kma_slabinfo *ret);

/**
 * kma_slabinfo_deinit() - free the caches
 * @slabinfo: from kma_slabinfo_read(), or zeroed
 */
void kma_slabinfo_deinit(struct kma_slabinfo *slabinfo);

#endif /* KMA_READER_MEMORY_H */

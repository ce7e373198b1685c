/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - a kernel's own numbers of its memory: /proc/meminfo and /proc/slabinfo, from this
 * machine or from copies of the files.
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
	uint64_t bytes;	  /* of a line without kB: the number itself, which may be a count */
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
	uint64_t objects; /* objects in use and free ones */
	uint64_t size;	  /* bytes of one object */
	uint64_t slabs;
	uint64_t pages;	   /* pages of one slab */
	uint64_t per_slab; /* objects of one slab */
	size_t name_len;
};

/* Between the first and the second part of a row of slabinfo. */
#define KMA_SLABINFO_NUMBERS " : tunables "
#define KMA_SLABINFO_DATA    " : slabdata "

/* Reads a row of /proc/slabinfo; false for any other line. The name is in @text, not terminated. */
bool kma_slabinfo_row(const char *text, struct kma_slab *ret);

struct kma_slabinfo {
	struct kma_arena arena;
	struct kma_slab *slabs;
	size_t nr;
	uint64_t bytes;	   /* bytes of all active objects */
	uint64_t nr_pages; /* pages of all slabs */
};

/* Does a file describe the machine that the program runs on: is it below /proc or /sys? */
bool kma_memory_is_here(const char *path);

/*
 * It is an error if there is no such file, a line is invalid, or MemTotal is missing. @ret needs
 * kma_meminfo_deinit() also after an error; it may be zeroed.
 */
struct kma_err *kma_meminfo_read(const char *path, struct kma_meminfo *ret);
void kma_meminfo_deinit(struct kma_meminfo *meminfo);

/*
 * Bytes of a line, by its name without the colon. False, and 0, if there is no such line: which
 * lines exist depends on the kernel.
 */
bool kma_meminfo_get(const struct kma_meminfo *meminfo, const char *name, uint64_t *ret);

/*
 * It is an error if there is no such file, its version is not 2.1, a line is invalid, or it has no
 * cache. @ret needs kma_slabinfo_deinit() also after an error; it may be zeroed.
 */
struct kma_err *kma_slabinfo_read(const char *path, struct kma_slabinfo *ret);
void kma_slabinfo_deinit(struct kma_slabinfo *slabinfo);

#endif /* KMA_READER_MEMORY_H */

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

/* Read a row of /proc/slabinfo; false if it is none. The name is in @text, not terminated. */
bool kma_slabinfo_row(const char *text, struct kma_slab *ret);

struct kma_slabinfo {
	struct kma_arena arena;
	struct kma_slab *slabs;
	size_t nr;
	uint64_t bytes;	   /* bytes of all active objects */
	uint64_t nr_pages; /* pages of all slabs */
};

/**
 * kma_memory_is_here() - test whether a file describes the machine that the program runs on
 * @path: its name
 *
 * Return: true if the file is below /proc or /sys.
 */
bool kma_memory_is_here(const char *path);

/**
 * kma_meminfo_read() - read /proc/meminfo
 * @path: name of the file
 * @ret: filled in; for kma_meminfo_deinit(), also after an error
 *
 * Return: NULL, or an error: no such file, an invalid line, or no line MemTotal.
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
 * @name: name of the line, without the colon
 * @ret: its bytes; 0 if there is no such line
 *
 * Return: false if there is no such line. Which lines exist depends on the kernel.
 */
bool kma_meminfo_get(const struct kma_meminfo *meminfo, const char *name, uint64_t *ret);

/**
 * kma_slabinfo_read() - read /proc/slabinfo
 * @path: name of the file
 * @ret: filled in; for kma_slabinfo_deinit(), also after an error
 *
 * Return: NULL, or an error: no such file, a version other than 2.1, an invalid line, or no slab
 * cache.
 */
struct kma_err *kma_slabinfo_read(const char *path, struct kma_slabinfo *ret);

/**
 * kma_slabinfo_deinit() - free the caches
 * @slabinfo: from kma_slabinfo_read(), or zeroed
 */
void kma_slabinfo_deinit(struct kma_slabinfo *slabinfo);

#endif /* KMA_READER_MEMORY_H */

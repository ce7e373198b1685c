/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-seen.h - a table of addresses. For log-objects.c: all addresses of an event log, with the
 * last allocation and the last free of each. For kmemleak.c and page-owner.c: the objects of the
 * earlier dumps of a file.
 *
 * A hash table with open addressing and linear probing. Nothing is ever removed, so there are no
 * deleted slots. A slot has 80 bytes; the table doubles when it is 3/4 full, and for a moment the
 * old and the new one exist.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_SEEN_H
#define KMA_READER_LOG_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

/* When, by which call site, on which CPU and by which task an event happened. */
struct kma_objects_where {
	uint64_t time; /* ns since the log began */
	uint32_t site, cpu, tid;
};

struct kma_seen {
	uint64_t ptr;	     /* the address; 0: the slot is free */
	uint64_t req, alloc; /* bytes of the last allocation: requested and allocated */
	struct kma_objects_where alloc_at, freed_at;
	uint32_t losses; /* LOST records before the last event of this address */
	uint16_t node;	 /* requested NUMA node, or KMA_LOG_NO_NODE */
	uint8_t kind;	 /* enum kma_kind of the allocation */
	bool live : 1;
	bool has_alloc : 1; /* an allocation is in the log */
	bool freed : 1;	    /* freed at least once */
	bool loose : 1;	    /* the last free may be reported twice */
	bool counted : 1;   /* allocated in the interval */
};

struct kma_seen_map;

/**
 * kma_seen_create() - create an empty table
 * @ret: the table
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_seen_create(struct kma_seen_map **ret);

/**
 * kma_seen_destroy() - free the table
 * @map: from kma_seen_create(); NULL is fine
 */
void kma_seen_destroy(struct kma_seen_map *map);

/**
 * kma_seen_get() - find or add an address
 * @map: the table
 * @ptr: the address, not 0
 * @ret: its slot, valid until the next call. A new one is zero except for ptr
 *
 * Return: NULL, or an error if memory cannot be allocated.
 */
struct kma_err *kma_seen_get(struct kma_seen_map *map, uint64_t ptr, struct kma_seen **ret);

/**
 * kma_seen_each() - call a function for each address, in no particular order
 * @map: the table
 * @fn: the function
 * @arg: passed to @fn
 */
void kma_seen_each(const struct kma_seen_map *map,
		   void (*fn)(void *arg, const struct kma_seen *seen), void *arg);

#endif /* KMA_READER_LOG_SEEN_H */

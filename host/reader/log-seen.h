/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-seen.h - a table of addresses. For log-objects.c: all addresses of an event log, with the
 * last allocation and the last free of each. For kmemleak.c and page-owner.c: the objects of the
 * earlier dumps of a file.
 *
 * Nothing is ever removed. An address has 80 bytes and 16 to 32 of hash table (lib/map.h); the list
 * of addresses doubles when it is full, and for a moment the old and the new one may exist.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_SEEN_H
#define KMA_READER_LOG_SEEN_H

#include <stdbool.h>
#include <stdint.h>

/* When, by which call site, on which CPU and by which task an event happened. */
struct kma_objects_where {
	uint64_t time; /* ns since the log began */
	uint32_t site, cpu, tid;
};

struct kma_seen {
	uint64_t ptr;	     /* the address */
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

struct kma_seen_map *kma_seen_create(void);

void kma_seen_destroy(struct kma_seen_map *map);

/*
 * Finds or adds an address. The pointer is valid until the next call; a new one is zero except for
 * ptr.
 */
struct kma_seen *kma_seen_get(struct kma_seen_map *map, uint64_t ptr);

/* All addresses, in the order in which they were added. */
const struct kma_seen *kma_seen_all(const struct kma_seen_map *map, size_t *nr);

#endif /* KMA_READER_LOG_SEEN_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-seen.h - addresses of an event log, with all that log-objects.c keeps of each. Open
 * addressing; nothing is ever taken out. Only for log-objects.c.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_SEEN_H
#define KMA_READER_LOG_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

/* When, where and by whom. */
struct kma_objects_where {
	uint64_t time; /* ns since the log began */
	uint32_t site, cpu, tid;
};

struct kma_seen {
	uint64_t ptr; /* 0: the place is free */
	uint64_t req, alloc;
	struct kma_objects_where alloc_at, freed_at;
	uint32_t losses; /* that had been met at the last event */
	uint16_t node;
	uint8_t kind;
	bool live : 1;
	bool has_alloc : 1;
	bool freed : 1;	  /* at least once */
	bool loose : 1;	  /* by a free that may be reported twice */
	bool counted : 1; /* allocated in the interval */
};

struct kma_seen_map;

/**
 * kma_seen_create() - no addresses
 * @ret: the map
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_seen_create(struct kma_seen_map **ret);

/**
 * kma_seen_destroy() - forget all
 * @map: from kma_seen_create(); NULL is fine
 */
void kma_seen_destroy(struct kma_seen_map *map);

/**
 * kma_seen_get() - find or make an address
 * @map: the map
 * @ptr: any but 0
 * @ret: zero but for ptr when it is new; until the next call
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_seen_get(struct kma_seen_map *map, uint64_t ptr, struct kma_seen **ret);

/**
 * kma_seen_each() - call a function for each address
 * @map: the map
 * @fn: to call
 * @arg: for @fn
 */
void kma_seen_each(const struct kma_seen_map *map,
		   void (*fn)(void *arg, const struct kma_seen *seen), void *arg);

#endif /* KMA_READER_LOG_SEEN_H */

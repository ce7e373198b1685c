/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - map from the address of a live object to its call site, sizes, CPU and kind.
 *
 * The map is exact: an object is never dropped, whatever its address or sizes. An object usually
 * takes 21 to 43 bytes (an entry of 16 bytes in a table that is 37 to 75 % full), and one or two
 * cache misses. live.c describes the structure and the rare objects that take more.
 *
 * Locking: none. The caller must serialise all calls.
 */
#ifndef KMA_MODEL_LIVE_H
#define KMA_MODEL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* An object. The map returns each member as it was stored. */
struct kma_live_object {
	uint64_t req;	/* requested bytes */
	uint64_t alloc; /* bytes that the allocator reserved: @req or more */
	uint32_t site;	/* number of the call site, below KMA_LIVE_MAX_SITES */
	uint16_t cpu;	/* that allocated the object */
	uint8_t kind;	/* enum kma_kind, below 8 */
};

#define KMA_LIVE_MAX_SITES (1U << 20)

struct kma_live;

struct kma_live *kma_live_create(void);
void kma_live_destroy(struct kma_live *live);

/*
 * Loads the slot of an address into the cache, before it is inserted or removed. It need not be in
 * the map.
 */
void kma_live_prefetch(const struct kma_live *live, uint64_t ptr);

/*
 * Adds an object, or replaces the one at the same address: then @was is set to true, and @old to
 * that object. @ptr is not 0.
 */
void kma_live_insert(struct kma_live *live, uint64_t ptr, const struct kma_live_object *object,
		     struct kma_live_object *old, bool *was);

/* False if there is no object at @ptr; @ret is then unchanged. */
bool kma_live_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret);

size_t kma_live_count(const struct kma_live *live);

/*
 * Bytes of the segments, the directory, wide sizes and strays; not the fixed part of the map, which
 * is about 72 KiB.
 */
size_t kma_live_bytes(const struct kma_live *live);

#endif /* KMA_MODEL_LIVE_H */

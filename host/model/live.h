/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - objects that are live, by address. 16 bytes an entry:
 *
 *	region 8 | low 40 bits of the address | cpu 16
 *	site 20 | kind 3 | wide 1 | requested 20 | alloc - requested 20
 *
 * Values that do not fit are also stored exactly, in other tables:
 * - the upper 24 bits of addresses are numbered as they come; a kernel uses few.
 *   Addresses of the 256th and later regions are in a tree of their own;
 * - sizes from 1 MiB up are in a list of pairs; wide says so, and the 40 bits are
 *   the place in that list.
 *
 * Entries are in segments of 4096, chosen by the top bits of the address' hash through a directory,
 * in a segment by open addressing. A segment that is three quarters full is split in two, so the
 * map grows by 64 KiB and never copies all. Removing shifts entries back: there are no tombstones,
 * and a map that is used for hours is as fast as a new one. If so many addresses have the same hash
 * that splitting does not help, the tree stores the rest, which is slower but always ends.
 *
 * Locking: none, one thread at a time.
 */
#ifndef KMA_MODEL_LIVE_H
#define KMA_MODEL_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* An object; all members are returned as they were stored. */
struct kma_live_object {
	uint64_t req;	/* requested bytes */
	uint64_t alloc; /* bytes given, @req or more */
	uint32_t site;	/* below KMA_LIVE_MAX_SITES */
	uint16_t cpu;
	uint8_t kind; /* below 8 */
};

#define KMA_LIVE_MAX_SITES (1U << 20)

struct kma_live;

/**
 * kma_live_create() - an empty map
 * @ret: the map
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_live_create(struct kma_live **ret);

/**
 * kma_live_destroy() - forget all objects
 * @live: from kma_live_create(); NULL is fine
 */
void kma_live_destroy(struct kma_live *live);

/**
 * kma_live_prefetch() - prefetch the slot of an address
 * @live: the map
 * @ptr: the address
 */
void kma_live_prefetch(const struct kma_live *live, uint64_t ptr);

/**
 * kma_live_insert() - put an object in, in the place of one that is there
 * @live: the map
 * @ptr: its address, any but 0
 * @object: what to keep of it
 * @old: what was there before
 * @was: was there one?
 *
 * Return: NULL or an error (memory); then nothing has changed.
 */
struct kma_err *kma_live_insert(struct kma_live *live, uint64_t ptr,
				const struct kma_live_object *object, struct kma_live_object *old,
				bool *was);

/**
 * kma_live_remove() - remove an object
 * @live: the map
 * @ptr: its address
 * @ret: the stored object
 *
 * Return: false if there is no object at @ptr.
 */
bool kma_live_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret);

/**
 * kma_live_count() - how many objects there are
 * @live: the map
 *
 * Return: their number.
 */
size_t kma_live_count(const struct kma_live *live);

/**
 * kma_live_bytes() - memory that the map takes
 * @live: the map
 *
 * Return: bytes.
 */
size_t kma_live_bytes(const struct kma_live *live);

#endif /* KMA_MODEL_LIVE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * array.h - an array of buckets of the live map, and an array of their births.
 *
 * Two areas (area.h): one of buckets, and one of births (birth.h), which has pages only while the
 * map stores births. Each bucket has births at any time: the area of births is the first to grow
 * and the last to shrink.
 *
 * Locking: the caller serialises all functions.
 */
#ifndef KMA_ARRAY_H
#define KMA_ARRAY_H

#include <linux/types.h>

#include "account/area.h"
#include "account/birth.h"
#include "account/bucket.h"

/**
 * struct kma_array - an array of buckets that grows and shrinks while it is in use
 * @buckets: the area of buckets
 * @births: the area of births; no pages if the map stores no births
 * @base: the pointer from which users read the base of the buckets
 * @births_base: the pointer from which users read the base of the births; that is NULL if the map
 *	stores no births
 */
struct kma_array {
	struct kma_area buckets;
	struct kma_area births;
	struct kma_bucket **base;
	struct kma_births **births_base;
};

/**
 * kma_array_init() - initialise an empty array
 * @array: the array
 * @max: maximum number of buckets
 * @base: as struct kma_array
 * @births_base: as struct kma_array
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_array_init(struct kma_array *array, u32 max, struct kma_bucket **base,
		   struct kma_births **births_base);

/**
 * kma_array_deinit() - release an array that has no user left
 * @array: the array; its initialisation may have failed, or it may be all zero
 *
 * Context: process, may sleep.
 */
void kma_array_deinit(struct kma_array *array);

/**
 * kma_array_grow() - add buckets, which are zero
 * @array: the array
 * @n: how many, at most; what fits below its maximum is added, in whole pages
 *
 * Does not wait; see kma_area_grow().
 *
 * Context: process, may sleep.
 * Return: as kma_area_grow(); no bucket is added unless it is 0.
 */
int kma_array_grow(struct kma_array *array, u32 n);

/**
 * kma_array_shrink() - release the last buckets
 * @array: the array
 * @n: minimum number of buckets that stay; not 0
 *
 * No user may access a released bucket from now on, neither by the new bases nor by the old
 * bases. kma_area_settle() releases the memory.
 *
 * Context: process, may sleep.
 * Return: number of pages that are released; -ENOMEM with no bucket released.
 */
long kma_array_shrink(struct kma_array *array, u32 n);

/**
 * kma_array_attach() - add the area of births, with all births unknown
 * @array: the array
 *
 * Context: process, may sleep; step 2 of birth.h.
 * Return: 0; -ENOMEM with nothing changed.
 */
int kma_array_attach(struct kma_array *array);

/**
 * kma_array_detach() - release the births
 * @array: the array
 *
 * Context: process, may sleep. The caller has hidden the births, and every event that saw
 * them has ended.
 */
void kma_array_detach(struct kma_array *array);

/**
 * kma_array_nr() - get the number of buckets
 * @array: the array
 *
 * Return: number of buckets.
 */
u32 kma_array_nr(const struct kma_array *array);

/**
 * kma_array_max() - get the maximum number of buckets
 * @array: the array
 *
 * Return: number of buckets.
 */
unsigned long kma_array_max(const struct kma_array *array);

/**
 * kma_array_memory() - get the memory that an array takes
 * @array: the array
 *
 * Return: bytes.
 */
size_t kma_array_memory(const struct kma_array *array);

#endif /* KMA_ARRAY_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * array.c - an array of buckets of the live map, and an array of their births.
 *
 * The design is in array.h.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/mm.h>

#include "account/array.h"
#include "account/budget.h"

/* Bytes of births for each byte of a bucket. */
#define KMA_BIRTHS_SHARE	(sizeof(struct kma_births) / sizeof(struct kma_bucket))

static size_t kma_array_bytes(u32 n)
{
	return (size_t)n << KMA_BUCKET_SHIFT;
}

static bool kma_array_has_births(const struct kma_array *array)
{
	return array->births.pages;
}

int kma_array_init(struct kma_array *array, u32 max, struct kma_bucket **base,
		   struct kma_births **births_base)
{
	BUILD_BUG_ON(sizeof(struct kma_births) % sizeof(struct kma_bucket));
	*array = (struct kma_array){ .base = base, .births_base = births_base };
	return kma_area_init(&array->buckets, kma_array_bytes(max));
}

void kma_array_deinit(struct kma_array *array)
{
	if (array->base) {
		WRITE_ONCE(*array->births_base, NULL);
		WRITE_ONCE(*array->base, NULL);
	}
	kma_area_deinit(&array->births);
	kma_area_deinit(&array->buckets);
}

/* Add births for the first @pages pages of buckets, as far as they are missing. */
static int kma_array_grow_births(struct kma_array *array, unsigned long pages)
{
	struct kma_area *births = &array->births;
	unsigned long want = pages * KMA_BIRTHS_SHARE;

	if (births->nr >= want)
		return 0;
	return kma_area_grow(births, (want - births->nr) << PAGE_SHIFT,
			     (void **)array->births_base);
}

/* Release the births of buckets that do not exist. If memory for that is refused, they stay. */
static long kma_array_shrink_births(struct kma_array *array)
{
	long released = 0;

	if (kma_array_has_births(array))
		released = kma_area_shrink(&array->births,
					   (array->buckets.nr * KMA_BIRTHS_SHARE) << PAGE_SHIFT,
					   (void **)array->births_base);
	return max(released, 0l);
}

int kma_array_grow(struct kma_array *array, u32 n)
{
	struct kma_area *buckets = &array->buckets;
	unsigned long pages = min(buckets->nr + DIV_ROUND_UP(kma_array_bytes(n), PAGE_SIZE),
				  buckets->max);
	size_t all = ((pages - buckets->nr) * (1 + KMA_BIRTHS_SHARE)) << PAGE_SHIFT;
	int err;

	if (kma_array_has_births(array)) {
		/* births without buckets would be in the budget for a grace period */
		if (!kma_budget_take(all))
			return -ENOMEM;
		kma_budget_give(all);
		err = kma_array_grow_births(array, pages);
		if (err)
			return err;
	}
	err = kma_area_grow(buckets, kma_array_bytes(n), (void **)array->base);
	/* after -EAGAIN, the next attempt needs them */
	if (err == -ENOMEM)
		kma_array_shrink_births(array);
	return err;
}

long kma_array_shrink(struct kma_array *array, u32 n)
{
	long released = kma_area_shrink(&array->buckets, kma_array_bytes(n), (void **)array->base);

	return released > 0 ? released + kma_array_shrink_births(array) : released;
}

int kma_array_attach(struct kma_array *array)
{
	int err = kma_area_init(&array->births,
				(array->buckets.max * KMA_BIRTHS_SHARE) << PAGE_SHIFT);

	err = err ?: kma_array_grow_births(array, array->buckets.nr);
	if (err)
		kma_area_deinit(&array->births);
	return err;
}

void kma_array_detach(struct kma_array *array)
{
	kma_area_deinit(&array->births);
}

u32 kma_array_nr(const struct kma_array *array)
{
	return array->buckets.nr << (PAGE_SHIFT - KMA_BUCKET_SHIFT);
}

unsigned long kma_array_max(const struct kma_array *array)
{
	return array->buckets.max << (PAGE_SHIFT - KMA_BUCKET_SHIFT);
}

size_t kma_array_memory(const struct kma_array *array)
{
	return kma_area_memory(&array->buckets) + kma_area_memory(&array->births);
}

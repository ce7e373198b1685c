/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * survey.h - shows all live objects, each with its slab.
 *
 * The live map has each object, and the object's page leads to its slab
 * (kmem_cache.h). No event needs to record the slab, so the survey costs nothing until it is
 * called.
 *
 * An object may be freed between the read of the map and the read of its page. Each page of the
 * map is therefore read a second time. If its objects or their classes have changed, the read of
 * the page is repeated. If it changes each time, its objects are shown without slabs.
 *
 * Locking: the account is frozen (serial.h) for some pages at a time; a page
 * of the map is locked only while its objects are copied.
 */
#ifndef KMA_SURVEY_H
#define KMA_SURVEY_H

#include <linux/types.h>

#include "account/kmem_cache.h"
#include "account/live.h"

/*
 * Called for each live object, while the account is frozen. @slab is NULL if the object consists of
 * whole pages, if its slab was not found, or if it is not an object of the slab allocator (key.h).
 * A negative result ends the survey.
 */
typedef int (*kma_survey_fn)(void *arg, const struct kma_live_object *object,
			     const struct kma_slab *slab);

/*
 * Call @see for each live object. As with kma_live_read(), an object that exists during the whole
 * call is shown once. @generation is the number of the account, from kma_serial_lock().
 *
 * Context: process, may sleep; kma_serial_lock() is not held; kma_cache_findable().
 *
 * Return: 0; -ENOMEM; -ESTALE if another account has begun since; or the error of @see.
 */
int kma_survey(unsigned int generation, kma_survey_fn see, void *arg);

/*
 * Copy the objects of a page of the map (kma_live_read()) to @objects, which has @max elements and
 * grows. Return: number of objects; or -ENOMEM, without a buffer.
 */
int kma_survey_copy(u64 at, struct kma_live_object **objects, u32 *max);

/* Free such a buffer, wiped: to a later scan of memory its addresses would be references. */
void kma_survey_drop(struct kma_live_object *objects, u32 max);

#endif /* KMA_SURVEY_H */

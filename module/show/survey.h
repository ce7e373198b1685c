/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * survey.h - all live objects, each with the slab that it lies in.
 *
 * The live map knows each object, and the object's page knows the slab
 * (kmem_cache.h): so no event is asked for it, and it costs nothing until somebody
 * wants to know.
 *
 * An object may be freed between the two looks. Each bucket of the map is
 * therefore read again afterwards, and if it has changed all of it is done
 * again. What comes to no rest is shown without a slab.
 *
 * Locking: the account is frozen (serial.h) for some hundred buckets at a time;
 * a chain of the map is locked only while it is copied.
 */
#ifndef KMA_SURVEY_H
#define KMA_SURVEY_H

#include <linux/types.h>

#include "account/kmem_cache.h"
#include "account/live.h"

/**
 * typedef kma_survey_fn - is shown a live object
 * @arg: from kma_survey()
 * @object: the object
 * @slab: its slab, or NULL: it is of whole pages, or not to be found any more, or
 *	it is no object at all (key.h)
 *
 * Context: process; the account is frozen.
 * Return: 0, or a negative error that ends the survey.
 */
typedef int (*kma_survey_fn)(void *arg, const struct kma_live_object *object,
			     const struct kma_slab *slab);

/**
 * kma_survey() - show all live objects
 * @generation: the account, as kma_serial_lock() calls it
 * @see: is shown each of them
 * @arg: handed to @see
 *
 * As with kma_live_read(): what stays meanwhile is shown once.
 *
 * Context: process, may sleep; not frozen; kma_cache_findable().
 * Return: 0; -ENOMEM; -ESTALE if the account is another by now; or what @see
 * returned.
 */
int kma_survey(unsigned int generation, kma_survey_fn see, void *arg);

#endif /* KMA_SURVEY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guess.h - what objects are, without debugging information: by the function that allocates them and
 * by the name of their slab cache.
 */
#ifndef KMA_TYPES_GUESS_H
#define KMA_TYPES_GUESS_H

#include "by-btf.h"
#include "choose.h"

/**
 * kma_types_by_return() - the type of objects by what the function that allocates them returns
 * @types: the table
 * @by: the BTF that was added to it
 * @ask: the objects
 * @function: symbol of the function
 *
 * Return: the number of the type, or NONE.
 */
uint32_t kma_types_by_return(const struct kma_types *types, const struct kma_by_btf *by,
			     const struct kma_type_ask *ask, const char *function);

/* The same by the name of @ask->cache. */
uint32_t kma_types_by_cache(struct kma_types *types, const struct kma_type_ask *ask);

#endif /* KMA_TYPES_GUESS_H */

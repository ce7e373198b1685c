/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holders.h - the root that holds most objects of each call site of a scan.
 *
 * Memory: 12 bytes for each object while they are counted.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_HOLDERS_H
#define KMA_HEAP_HOLDERS_H

#include <stddef.h>

#include "scan.h"

/* A call site. Several sites of the module that have one text are one. */
struct kma_holder {
	const char *caller;
	const char *root; /* name of the root that holds most objects; NULL: nothing holds any */
	uint64_t held;	  /* objects at the ends of paths from this root */
	uint64_t all;	  /* objects in the last pass */
};

/* An array, sorted by caller, which the caller frees. @scan has paths, and owns the texts. */
struct kma_holder *kma_holders_find(const struct kma_scan *scan, size_t *nr);

#endif /* KMA_HEAP_HOLDERS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listing.h - the module's list of live objects, and the names of their call sites.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_LISTING_H
#define KMA_HEAP_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"

/* An object of the slab allocator. */
struct kma_listing_object {
	uint64_t addr, total; /* @total: bytes allocated */
	uint64_t age;	      /* ns, if @has_age */
	uint32_t site;	      /* number, which kma_listing_caller() names */
	bool has_age;
};

struct kma_listing_sites {
	const char **callers; /* by number of the site; NULL: no such site */
	uint32_t nr;
	struct kma_arena texts;
};

typedef void (*kma_listing_fn)(void *arg, const struct kma_listing_object *object);

/*
 * Calls @fn for each live object in debugfs' kmem_account/live; blocks of pages and per-CPU memory
 * are left out. It is an error if the file cannot be read, or the addresses are hidden from this
 * process.
 */
struct kma_err *kma_listing_read(const char *path, kma_listing_fn fn, void *arg);

/* Reads debugfs' kmem_account/sites. @sites is zeroed. */
struct kma_err *kma_listing_sites(const char *path, struct kma_listing_sites *sites);

/* @sites may be zeroed, and is zeroed afterwards. */
void kma_listing_sites_deinit(struct kma_listing_sites *sites);

/* The text of a call site; "[unknown call site]" if @sites does not have it. */
const char *kma_listing_caller(const struct kma_listing_sites *sites, uint32_t site);

#endif /* KMA_HEAP_LISTING_H */

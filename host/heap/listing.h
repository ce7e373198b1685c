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

/**
 * kma_listing_read() - read the live objects
 * @path: debugfs' kmem_account/live
 * @fn: called for each object; blocks of pages and per-CPU memory are left out
 * @arg: passed to @fn
 *
 * The error names @path: it cannot be read, or the addresses are hidden from this process.
 */
struct kma_err *kma_listing_read(const char *path, kma_listing_fn fn, void *arg);

/**
 * kma_listing_sites() - read the call sites
 * @path: debugfs' kmem_account/sites
 * @sites: zeroed; filled in, to be freed with kma_listing_sites_deinit()
 *
 * The error names @path.
 */
struct kma_err *kma_listing_sites(const char *path, struct kma_listing_sites *sites);

/**
 * kma_listing_sites_deinit() - free the call sites
 * @sites: zeroed, or as filled in; zeroed afterwards
 */
void kma_listing_sites_deinit(struct kma_listing_sites *sites);

/**
 * kma_listing_caller() - name a call site
 * @sites: the call sites
 * @site: number of the site
 *
 * Return: its text; "[unknown call site]" if @sites does not have it.
 */
const char *kma_listing_caller(const struct kma_listing_sites *sites, uint32_t site);

#endif /* KMA_HEAP_LISTING_H */

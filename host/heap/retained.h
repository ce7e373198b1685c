/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * retained.h - how much memory goes with each root, each module and each call site.
 *
 * A root retains the objects that it dominates (dominators.h): nothing else would hold them. What
 * no single root retains, and what nothing holds, has rows of its own, so the rows of the roots add
 * up to all live objects.
 *
 * A module retains what all its roots dominate together: an object that two variables of the module
 * hold goes with the module, and with neither variable. All other roots of a class are one row.
 *
 * A call site retains what its objects dominate, and these objects. Its number is a lower bound of
 * what would go with all of them, because an object that two of them hold goes with neither alone.
 * The rows of call sites do not add up: an object goes with each call site above it.
 *
 * Memory in addition to that of dominators.h: 24 bytes for each object and group.
 *
 * Locking: none. kma_retained_scan() starts threads, and waits for them.
 */
#ifndef KMA_HEAP_RETAINED_H
#define KMA_HEAP_RETAINED_H

#include "lib/arena.h"
#include "lib/notes.h"
#include "target.h"

struct kma_retained_row {
	const char *name;	 /* of the root, or the call site */
	uint64_t bytes, objects; /* retained */
	uint64_t direct;	 /* root: objects that its words refer to; call site: its own */
	uint64_t own;		 /* call site: bytes of its objects */
	bool rest;		 /* roots: not the row of a root; @direct is not known */
	uint32_t number;	 /* while rows are made: of the group, or of the call site */
};

/* The objects of a call site that a root retains. Parts add up to the rows of roots. */
struct kma_retained_part {
	uint32_t root;	 /* place in kma_retained.roots */
	uint32_t caller; /* place in kma_retained.callers; KMA_HEAP_NONE: memory of the scan */
	uint64_t bytes, objects;
};

struct kma_retained {
	struct kma_retained_row *roots, *modules, *callers; /* most bytes first */
	size_t nr_roots, nr_modules, nr_callers;
	struct kma_retained_part *parts; /* by root and caller; NULL in a scan that was read */
	uint32_t nr_parts;
	uint64_t bytes, objects; /* all live objects */
	struct kma_notes notes;
	struct kma_arena texts;
};

struct kma_graph;
struct kma_listing_sites;
struct kma_root_groups;

/* After kma_graph_scan(). @ret is zeroed. */
void kma_retained_make(const struct kma_graph *graph, const struct kma_root_groups *groups,
		       const struct kma_listing_sites *sites, struct kma_retained *ret);

/*
 * Scans the kernel, and adds up what is retained. @stop is set by a handler of a signal. @ret is
 * zeroed. It is an error if there is no permission, or a kernel that is not supported,
 * or if the scan was interrupted.
 */
struct kma_err *kma_retained_scan(const struct kma_heap_source *source, const int *stop,
				  struct kma_retained *ret);

/* @retained may be zeroed. */
void kma_retained_deinit(struct kma_retained *retained);

#endif /* KMA_HEAP_RETAINED_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paths.h - one path to a root for each object: a shortest one from the most lasting class of roots
 * that reaches the object.
 *
 * Objects are in the order in which a search breadth first finds them, so the holder of an object
 * is before it. Objects that nothing holds are last, by address.
 *
 * Memory: 28 bytes for each object.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_PATHS_H
#define KMA_HEAP_PATHS_H

#include "groups.h"

struct kma_path {
	uint32_t holder; /* its number; KMA_HEAP_NONE: held by a root, or by nothing */
	uint32_t group;	 /* of the root that holds it; KMA_HEAP_NONE: none */
	uint32_t first;	 /* see kma_paths_add() */
	uint32_t site;	 /* KMA_HEAP_FREE: a range that was free before the scan */
	uint32_t bytes;
	int32_t offset; /* bytes in the holder, or in the variable; -1: unknown */
};

struct kma_paths {
	struct kma_path *list;
	uint32_t nr, room;
	uint32_t *objects; /* by number: object of the graph; NULL if they were read from a file */
};

/*
 * Adds an object to paths that have its holder, and fewer than KMA_HEAP_MOST objects. Sets @first
 * to the object that is reached first of those of one call site on the path. Between two of them
 * may be up to three objects of other sites, as in a list of the kernel that has timers of two
 * drivers.
 */
void kma_paths_add(struct kma_paths *paths, const struct kma_path *path);

/*
 * Finds the paths of all objects, after kma_graph_scan(), with roots. Marks of the graph are
 * replaced. @ret is zeroed.
 */
void kma_paths_make(struct kma_graph *graph, const struct kma_root_groups *groups,
		    struct kma_paths *ret);

/* @paths may be zeroed, and are zeroed afterwards. */
void kma_paths_deinit(struct kma_paths *paths);

#endif /* KMA_HEAP_PATHS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paths.h - one path to a root for each object: a shortest one from the most lasting class of roots
 * that reaches the object.
 *
 * Objects are in the order in which a search breadth first finds them, so the holder of an object is
 * before it. Objects that nothing holds are last, by address.
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

/**
 * kma_paths_add() - add an object
 * @paths: with its holder, and fewer than KMA_HEAP_MOST objects
 * @path: the object, without @first
 *
 * Sets @first to the object that is reached first of those of one call site on the path. Between two
 * of them may be up to three objects of other sites, as in a list of the kernel that has timers of
 * two drivers.
 */
void kma_paths_add(struct kma_paths *paths, const struct kma_path *path);

/**
 * kma_paths_make() - find the paths of all objects
 * @graph: after kma_graph_scan(), with roots; its marks are replaced
 * @groups: its roots
 * @ret: zeroed; filled in, to be freed with kma_paths_deinit()
 */
void kma_paths_make(struct kma_graph *graph, const struct kma_root_groups *groups,
		    struct kma_paths *ret);

/**
 * kma_paths_deinit() - free paths
 * @paths: zeroed, or as filled in; zeroed afterwards
 */
void kma_paths_deinit(struct kma_paths *paths);

#endif /* KMA_HEAP_PATHS_H */

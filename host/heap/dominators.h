/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dominators.h - what each object goes with.
 *
 * An object or a group of roots dominates an object if all paths from roots to the object lead
 * through it: without it, nothing would hold the object. Dominators make a tree, in which each
 * object is below its nearest dominator. An object that more than one group holds, with no object
 * on all paths, is directly below the top.
 *
 * A path from roots of the most lasting class that reaches an object counts, and paths from the
 * other classes do not (roots.h): a word that is left over on a stack does not hide that a variable
 * alone holds a list.
 *
 * Memory: 8 bytes for each object and group, 24 more while they are found, and 4 for each edge.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_DOMINATORS_H
#define KMA_HEAP_DOMINATORS_H

#include "groups.h"

/* What is reached, in the order of a search depth first. Place 0 is the top. */
struct kma_dominators {
	uint32_t nr;	 /* places; @node and @above have one more than this */
	uint32_t *node;	 /* by place, from 1: an object, or kma_graph.nr + number of a group */
	uint32_t *above; /* by place, from 1: place of its nearest dominator, which is smaller */
};

/* After kma_graph_scan(). @ret is zeroed. */
void kma_dominators_find(const struct kma_graph *graph, const struct kma_root_groups *groups,
			 struct kma_dominators *ret);

/* @dominators may be zeroed, and are zeroed afterwards. */
void kma_dominators_deinit(struct kma_dominators *dominators);

#endif /* KMA_HEAP_DOMINATORS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * union.h - merge two trees of owners into one, for charts that compare two accounts.
 *
 * The union has a node for each owner that either tree has. node->sides has the numbers of both
 * trees. node->values is the size to draw: for a caller or a section the absolute change,
 * |after - before| of each metric; for a node above them the sum over its children. So children
 * fill their parent as in any tree, owners that did not change have no size, and two changes that
 * cancel each other out both have a size. The direction of a change is in the sides alone.
 */
#ifndef KMA_TREE_UNION_H
#define KMA_TREE_UNION_H

#include "model/diff.h"
#include "node.h"

struct kma_union_params {
	const struct kma_node *sides[KMA_NR_SIDES]; /* roots of the two trees, rolled up */
	enum kma_diff_match match;		    /* when callers are the same owner */
	bool flat;				    /* only leaves, as children of the root */
};

/*
 * The union is rolled up, and all of its nodes have sides. They refer to texts of the two trees,
 * which have to live as long.
 */
struct kma_node *kma_union_create(const struct kma_union_params *params);

/*
 * Replaces the sizes of a branch in which no leaf has changed by its numbers after: all are zero,
 * so it could not be drawn. False, and the sizes stay, if it has changed.
 */
bool kma_union_use_after(struct kma_node *branch, enum kma_metric_id id);

#endif /* KMA_TREE_UNION_H */

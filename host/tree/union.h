/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * union.h - two trees of owners as one, for what is drawn of both: a node for each
 * that one of them has, with the numbers of both sides.
 *
 * A node's own numbers are its size: of a caller or a section how much it changed, up or
 * down, of all above the sum of those. So children fill their parent as in any tree, what
 * did not change takes no room, and changes that cancel each other out are seen.
 */
#ifndef KMA_TREE_UNION_H
#define KMA_TREE_UNION_H

#include "model/diff.h"
#include "node.h"

struct kma_union_params {
	const struct kma_node *sides[KMA_NR_SIDES]; /* their roots, rolled up */
	enum kma_diff_match match;		    /* how callers are compared */
	bool flat;				    /* callers only, right below the root */
};

/**
 * kma_union_create() - put two trees together
 * @params: which, and how
 * @ret: root of the new one, rolled up; all of its nodes have sides. It uses texts of the two, which
 *	have to live as long
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_union_create(const struct kma_union_params *params, struct kma_node **ret);

/**
 * kma_union_use_after() - give a branch in which a metric has not changed the sizes of after
 * @branch: of a tree from kma_union_create()
 * @id: the metric
 *
 * Such a branch has no size, and nothing of it could be drawn.
 *
 * Return: true if it has not changed; false: it keeps its sizes.
 */
bool kma_union_use_after(struct kma_node *branch, enum kma_metric_id id);

#endif /* KMA_TREE_UNION_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * union.h - two trees of owners as one, for what is drawn of both: a node for each
 * that one of them has, with the numbers of both sides.
 *
 * A node's own numbers are its size: of a caller or a section the larger of both
 * sides, of all above the sum of those. So children fill their parent as in any tree,
 * and what moved from one file to another is as large as it was in each.
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
 * @ret: root of the new one, rolled up; all of its nodes have sides
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_union_create(const struct kma_union_params *params, struct kma_node **ret);

#endif /* KMA_TREE_UNION_H */

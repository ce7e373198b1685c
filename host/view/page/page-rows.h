/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-rows.h - select the nodes of a tree that a page has, in its order.
 *
 * If there are more nodes than the limit, the nodes with the largest share of any metric are kept.
 * For each parent the others become one combined row with their count and sum, so no bytes are
 * lost. A node's share is at most that of its parent, so the kept nodes form a tree. Time is that
 * of two sorts.
 */
#ifndef KMA_VIEW_PAGE_PAGE_ROWS_H
#define KMA_VIEW_PAGE_PAGE_ROWS_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/* Default limit of nodes: a page with more is slow to load. */
#define KMA_PAGE_NODES 50000

struct kma_page_row {
	const struct kma_node *node;	       /* the node; of a combined row the parent */
	size_t folded;			       /* number of combined leaves; 0: a node */
	unsigned int depth;		       /* 0 is the root of the page */
	bool leaf;			       /* it has no rows below it */
	size_t first, nr_leaves;	       /* of a leaf: its leaves of the tree in leaves[] */
	struct kma_values values;	       /* of a leaf; the script adds up the others */
	struct kma_values sides[KMA_NR_SIDES]; /* of a leaf in a comparison */
};

struct kma_page_rows {
	struct kma_page_row *rows; /* in preorder, children sorted by name */
	size_t nr;
	const struct kma_node **leaves; /* leaves of the tree, in the order of the rows */
	size_t nr_leaves;
};

/*
 * Selects up to @max_nodes (0: KMA_PAGE_NODES) of a branch, which has to live as long as @rows, by
 * their shares of @metrics. Children follow their parent, in the order of their names; a combined
 * row is the last.
 */
void kma_page_rows_init(struct kma_page_rows *rows, const struct kma_node *branch,
			unsigned int metrics, size_t max_nodes);

void kma_page_rows_deinit(struct kma_page_rows *rows);

#endif /* KMA_VIEW_PAGE_PAGE_ROWS_H */

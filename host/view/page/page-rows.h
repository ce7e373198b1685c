/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-rows.h - the nodes of a tree that a page has, in its order.
 *
 * If there are more nodes than the limit, the nodes with the largest share of any metric are kept.
 * The others become one row of their parent, with count and sum. A node's share is at most that of
 * its parent, so the kept nodes are a tree.
 */
#ifndef KMA_VIEW_PAGE_PAGE_ROWS_H
#define KMA_VIEW_PAGE_PAGE_ROWS_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/* A page with more nodes is slow to load, so the nodes with the smallest shares are combined. */
#define KMA_PAGE_NODES 50000

struct kma_page_row {
	const struct kma_node *node;	       /* the parent of what is gathered */
	size_t folded;			       /* leaves that are gathered, 0 for a node */
	unsigned int depth;		       /* 0 is the root of the page */
	bool leaf;			       /* nothing is below it */
	size_t first, nr_leaves;	       /* of a leaf: what it is made of, in leaves[] */
	struct kma_values values;	       /* of a leaf; others are sums of them */
	struct kma_values sides[KMA_NR_SIDES]; /* the same of two trees, when there are */
};

struct kma_page_rows {
	struct kma_page_row *rows;
	size_t nr;
	const struct kma_node **leaves; /* of the tree, row by row */
	size_t nr_leaves;
};

/**
 * kma_page_rows_init() - choose the nodes
 * @rows: filled in; to be deinitialised in any case
 * @branch: of which tree
 * @metrics: set of metrics by which nodes are large
 * @max_nodes: how many nodes are kept; 0: as many as usual
 *
 * Children follow their parent, in the order of their names; a combined row is the last.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_rows_init(struct kma_page_rows *rows, const struct kma_node *branch,
				   unsigned int metrics, size_t max_nodes);

/**
 * kma_page_rows_deinit() - free them
 * @rows: from kma_page_rows_init()
 */
void kma_page_rows_deinit(struct kma_page_rows *rows);

#endif /* KMA_VIEW_PAGE_PAGE_ROWS_H */

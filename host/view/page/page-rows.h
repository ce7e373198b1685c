/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-rows.h - the nodes of a tree that a page has, in its order.
 *
 * Of more nodes than the page may have those with the largest share of any metric are
 * kept, and what is left out is one row of its parent, with count and sum. A node's
 * share is at most its parent's, so what is kept is a tree.
 */
#ifndef KMA_VIEW_PAGE_PAGE_ROWS_H
#define KMA_VIEW_PAGE_PAGE_ROWS_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

/* A page with more nodes is slow to load, so the nodes with the smallest shares are gathered. */
#define KMA_PAGE_NODES 50000

struct kma_page_row {
	const struct kma_node *node;	       /* the parent of what is gathered */
	size_t folded;			       /* leaves that are gathered, 0 for a node */
	unsigned int depth;		       /* 0 is the root of the page */
	bool leaf;			       /* nothing is below it */
	struct kma_values values;	       /* of a leaf; others are sums of them */
	struct kma_values sides[KMA_NR_SIDES]; /* the same of two trees, when there are */
};

struct kma_page_rows {
	struct kma_page_row *rows;
	size_t nr;
};

/**
 * kma_page_rows_init() - choose the nodes
 * @rows: filled in; to be deinitialised in any case
 * @chart: branch, metrics and max_nodes are used
 *
 * Children stand in order of their names, behind their parent, gathered ones last.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_rows_init(struct kma_page_rows *rows, const struct kma_chart *chart);

/**
 * kma_page_rows_deinit() - free them
 * @rows: from kma_page_rows_init()
 */
void kma_page_rows_deinit(struct kma_page_rows *rows);

#endif /* KMA_VIEW_PAGE_PAGE_ROWS_H */

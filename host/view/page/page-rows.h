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
	const struct kma_node *node; /* the node; for combined leaves, their parent */
	size_t folded;		     /* number of combined leaves; 0: a node */
	unsigned int depth;	     /* 0 is the root of the page */
	bool leaf;		     /* without children */
	struct kma_values values;    /* numbers of a leaf; those of the other nodes are sums */
	struct kma_values sides[KMA_NR_SIDES]; /* numbers in both trees of a comparison */
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
 * Children follow their parent, in the order of their names; a combined row is the last.
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

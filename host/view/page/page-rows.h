/* SPDX-License-Identifier: GPL-2.0 */
/*
 * page-rows.h - the nodes of a tree that a page has, in its order.
 *
 * Of more nodes than the page may have those with the largest share of any metric are
 * kept, and what is left out is one row of its parent, with count and sum. A node's
 * share is at most its parent's, so what is kept is a tree.
 */
#ifndef KMA_VIEW_PAGE_ROWS_H
#define KMA_VIEW_PAGE_ROWS_H

#include "lib/strbuf.h"
#include "view/chart/chart.h"

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

/**
 * kma_page_themes() - write the colours, for each theme of a page
 * @rows: of the page
 * @chart: its branch gets sorted by its metric
 * @out: a JSON list is appended: name, palette (fill and text of six levels for each
 *	colour, the first is grey), hues (the colour of each child of the root); of a
 *	comparison changes (fill and text, from gone over the same to new) in their place
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_themes(const struct kma_page_rows *rows, const struct kma_chart *chart,
				struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_ROWS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-trees.h - all trees of a page: that of the chart, those of other keys with numbers of their
 * own (stacks, cgroups, NUMA nodes), and the keys by which the page makes trees itself.
 */
#ifndef KMA_VIEW_PAGE_PAGE_TREES_H
#define KMA_VIEW_PAGE_PAGE_TREES_H

#include "page-groups.h"
#include "page-rows.h"

/* A further tree has at most this share of the nodes of a page. */
#define KMA_PAGE_SHARE 4

struct kma_page_tree {
	enum kma_chart_by by;
	struct kma_node *branch;
	unsigned int metrics;
	const struct kma_chart_times *times; /* NULL of one time */
	struct kma_page_rows rows;
};

struct kma_page_trees {
	struct kma_page_tree trees[KMA_NR_CHART_BY]; /* the first one is that of the chart */
	size_t nr;
	struct kma_page_groups groups[KMA_NR_CHART_BY]; /* of the first tree */
	size_t nr_groups;
};

/**
 * kma_page_trees_init() - find all trees of a page
 * @trees: filled in; to be deinitialised in any case
 * @chart: the chart
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_trees_init(struct kma_page_trees *trees, const struct kma_chart *chart);

/**
 * kma_page_trees_deinit() - free what was made
 * @trees: from kma_page_trees_init()
 */
void kma_page_trees_deinit(struct kma_page_trees *trees);

#endif /* KMA_VIEW_PAGE_PAGE_TREES_H */

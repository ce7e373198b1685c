/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-trees.h - collect the trees of a page: the tree of the chart; trees by keys that have other
 * leaves (stacks, cgroups, NUMA nodes); and the keys by which the page's script makes trees itself
 * (page-groups.h).
 */
#ifndef KMA_VIEW_PAGE_PAGE_TREES_H
#define KMA_VIEW_PAGE_PAGE_TREES_H

#include "lib/cleanup.h"
#include "page-groups.h"
#include "page-rows.h"

/* Without --max-nodes, each tree after the first has at most a fourth of the default limit. */
#define KMA_PAGE_SHARE 4

struct kma_page_tree {
	struct kma_keys by;
	struct kma_node *branch;
	unsigned int metrics;
	const struct kma_chart_times *times; /* NULL: one time */
	struct kma_page_rows rows;
	struct kma_page_groups groups[ARRAY_SIZE(kma_page_keys)]; /* keys of its leaves */
	size_t nr_groups;
};

struct kma_page_trees {
	struct kma_page_tree trees[KMA_CHART_TREES + 1]; /* the first one is that of the chart */
	size_t nr;
};

void kma_page_trees_init(struct kma_page_trees *trees, const struct kma_chart *chart);
void kma_page_trees_deinit(struct kma_page_trees *trees);

#endif /* KMA_VIEW_PAGE_PAGE_TREES_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-trees.c - collect the trees of a page.
 */
#include <string.h>

#include "page-trees.h"

static struct kma_err *kma_page_tree_add(struct kma_page_trees *trees, enum kma_chart_by by,
					 struct kma_node *branch, unsigned int metrics,
					 const struct kma_chart_times *times, size_t max_nodes)
{
	struct kma_page_tree *tree = &trees->trees[trees->nr++];

	tree->by = by;
	tree->branch = branch;
	tree->metrics = metrics;
	tree->times = times;
	return kma_page_rows_init(&tree->rows, branch, metrics, max_nodes);
}

static struct kma_err *kma_page_group_add(struct kma_page_trees *trees, enum kma_chart_by by)
{
	struct kma_page_groups *groups = &trees->groups[trees->nr_groups];
	struct kma_err *err;

	err = kma_page_groups_init(groups, &trees->trees[0].rows, by);
	if (!err && !groups->nr)
		kma_page_groups_deinit(groups);
	else
		trees->nr_groups++;
	return err;
}

struct kma_err *kma_page_trees_init(struct kma_page_trees *trees, const struct kma_chart *chart)
{
	size_t share = chart->max_nodes ?: KMA_PAGE_NODES / KMA_PAGE_SHARE;
	struct kma_err *err;

	memset(trees, 0, sizeof(*trees));
	err = kma_page_tree_add(trees, chart->main_key, chart->branch, chart->metrics, chart->times,
				chart->max_nodes);
	for (enum kma_chart_by by = 0; by < KMA_NR_CHART_BY && !err; by++) {
		const struct kma_chart_tree *tree = kma_chart_tree(chart, by);

		if (kma_chart_keys[by].row)
			err = kma_page_group_add(trees, by);
		else if (tree)
			err = kma_page_tree_add(trees, by, tree->root, tree->metrics, tree->times,
						share);
	}
	return err;
}

void kma_page_trees_deinit(struct kma_page_trees *trees)
{
	for (size_t i = 0; i < trees->nr; i++)
		kma_page_rows_deinit(&trees->trees[i].rows);
	for (size_t i = 0; i < trees->nr_groups; i++)
		kma_page_groups_deinit(&trees->groups[i]);
}

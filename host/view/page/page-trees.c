// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-trees.c - collect the trees of a page.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "page-trees.h"

static void add_tree(struct kma_page_trees *trees, const struct kma_keys *by,
		     struct kma_node *branch, unsigned int metrics,
		     const struct kma_chart_times *times, size_t max_nodes)
{
	struct kma_page_tree *tree = &trees->trees[trees->nr++];

	tree->by = *by;
	tree->branch = branch;
	tree->metrics = metrics;
	tree->times = times;
	kma_page_rows_init(&tree->rows, branch, metrics, max_nodes);
}

/* Finds the keys of the leaves of a tree, which the page's script makes levels of. */
static void add_groups(struct kma_page_tree *tree, const struct kma_chart *chart)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_page_keys); i++) {
		struct kma_page_groups *groups = &tree->groups[tree->nr_groups];

		kma_page_groups_init(groups, &tree->rows, kma_page_keys[i],
				     kma_keys_have(&chart->key, kma_page_keys[i]));
		if (groups->nr)
			tree->nr_groups++;
		else
			kma_page_groups_deinit(groups);
	}
}

/* Does the page's script make the tree of a list of keys? */
static bool is_made(const struct kma_keys *by)
{
	unsigned int set = kma_keys_set(by);

	for (size_t i = 0; i < ARRAY_SIZE(kma_page_keys); i++)
		set &= ~(1U << kma_page_keys[i]);
	return !set;
}

void kma_page_trees_init(struct kma_page_trees *trees, const struct kma_chart *chart)
{
	size_t share = chart->max_nodes ?: KMA_PAGE_NODES / KMA_PAGE_SHARE;

	memset(trees, 0, sizeof(*trees));
	add_tree(trees, &chart->main_key, chart->branch, chart->metrics, chart->times,
		 chart->max_nodes);
	for (size_t i = 0; i < chart->nr_trees; i++) {
		const struct kma_chart_tree *tree = &chart->trees[i];

		if (!is_made(&tree->by))
			add_tree(trees, &tree->by, tree->root, tree->metrics, tree->times, share);
	}
	for (size_t i = 0; i < trees->nr; i++)
		if (!i || kma_keys_groups(&trees->trees[i].by))
			add_groups(&trees->trees[i], chart);
}

void kma_page_trees_deinit(struct kma_page_trees *trees)
{
	for (size_t i = 0; i < trees->nr; i++) {
		struct kma_page_tree *tree = &trees->trees[i];

		kma_page_rows_deinit(&tree->rows);
		for (size_t k = 0; k < tree->nr_groups; k++)
			kma_page_groups_deinit(&tree->groups[k]);
	}
}

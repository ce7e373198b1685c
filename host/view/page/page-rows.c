// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-rows.c - select the nodes of a tree that a page has.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "page-rows.h"

/* A node of the tree, in the order of the page. */
struct kma_page_node {
	const struct kma_node *node;
	size_t end;   /* index after the last node below it */
	double share; /* its largest share of any metric */
	bool kept;
};

struct kma_page_walk {
	const struct kma_node *branch;
	unsigned int metrics;
	struct kma_page_node *nodes;
	size_t nr;
	struct kma_page_rows *rows;
};

static size_t page_count(const struct kma_node *node)
{
	size_t nr = 1;

	for (size_t i = 0; i < node->nr_children; i++)
		nr += page_count(node->children[i]);
	return nr;
}

static int cmp_name(const void *a, const void *b)
{
	const struct kma_node *x = *(struct kma_node *const *)a;
	const struct kma_node *y = *(struct kma_node *const *)b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : (x->kind > y->kind) - (x->kind < y->kind);
}

static double page_share(const struct kma_page_walk *walk, const struct kma_node *node)
{
	double most = 0;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		double all = kma_metrics[id].get(walk->branch->values);
		double share;

		if (!(walk->metrics & 1U << id) || !all)
			continue;
		share = kma_metrics[id].get(node->values) / all;
		if (share > most)
			most = share;
	}
	return most;
}

static void page_walk(struct kma_page_walk *walk, const struct kma_node *node)
{
	_cleanup_free_ struct kma_node **children = NULL;
	struct kma_page_node *mine = &walk->nodes[walk->nr++];

	mine->node = node;
	mine->share = page_share(walk, node);
	if (node->nr_children) {
		children = kma_xmalloc(node->nr_children * sizeof(*children));
		memcpy(children, node->children, node->nr_children * sizeof(*children));
		qsort(children, node->nr_children, sizeof(*children), cmp_name);
	}
	for (size_t i = 0; i < node->nr_children; i++)
		page_walk(walk, children[i]);
	mine->end = walk->nr;
}

static int cmp_share(const void *a, const void *b)
{
	const struct kma_page_node *x = *(struct kma_page_node *const *)a;
	const struct kma_page_node *y = *(struct kma_page_node *const *)b;
	int cmp = (x->share < y->share) - (x->share > y->share);

	/* Among rows with equal shares the first is kept: parents come before their children. */
	return cmp ? cmp : (x > y) - (x < y);
}

static void page_choose(struct kma_page_walk *walk, size_t max)
{
	_cleanup_free_ struct kma_page_node **order = kma_xmalloc(walk->nr * sizeof(*order));

	for (size_t i = 0; i < walk->nr; i++)
		order[i] = &walk->nodes[i];
	if (walk->nr > max)
		qsort(order, walk->nr, sizeof(*order), cmp_share);
	for (size_t i = 0; i < walk->nr && i < max; i++)
		order[i]->kept = true;
}

/* Adds the numbers of a node to a row. */
static void page_add(struct kma_page_row *row, const struct kma_node *node)
{
	kma_values_add(&row->values, node->values);
	for (unsigned int i = 0; i < KMA_NR_SIDES && node->sides; i++)
		kma_values_add(&row->sides[i], &node->sides[i]);
}

static void page_leaf(struct kma_page_rows *rows, struct kma_page_row *row,
		      const struct kma_node *leaf)
{
	rows->leaves[rows->nr_leaves++] = leaf;
	row->nr_leaves++;
}

/* Adds the combined row of a node: all its children that are not kept. */
static void page_fold(struct kma_page_walk *walk, size_t from, unsigned int depth)
{
	const struct kma_node *parent = walk->nodes[from].node;
	struct kma_page_row *row = &walk->rows->rows[walk->rows->nr];
	const struct kma_page_node *child;

	*row = (struct kma_page_row){
		.node = parent, .depth = depth, .leaf = true, .first = walk->rows->nr_leaves
	};
	for (size_t i = from + 1; i < walk->nodes[from].end; i = child->end) {
		child = &walk->nodes[i];
		if (child->kept)
			continue;
		page_add(row, child->node);
		for (size_t j = i; j < child->end; j++)
			if (!walk->nodes[j].node->nr_children)
				page_leaf(walk->rows, row, walk->nodes[j].node);
	}
	row->folded = row->nr_leaves;
	walk->rows->nr += row->folded > 0;
}

static void page_keep(struct kma_page_walk *walk, size_t at, unsigned int depth)
{
	const struct kma_page_node *node = &walk->nodes[at];
	struct kma_page_row *row = &walk->rows->rows[walk->rows->nr++];

	*row = (struct kma_page_row){ .node = node->node,
				      .depth = depth,
				      .first = walk->rows->nr_leaves };
	row->leaf = at + 1 == node->end;
	if (row->leaf) {
		page_add(row, node->node);
		page_leaf(walk->rows, row, node->node);
	}
	for (size_t i = at + 1; i < node->end; i = walk->nodes[i].end)
		if (walk->nodes[i].kept)
			page_keep(walk, i, depth + 1);
	if (!row->leaf)
		page_fold(walk, at, depth + 1);
}

void kma_page_rows_init(struct kma_page_rows *rows, const struct kma_node *branch,
			unsigned int metrics, size_t max_nodes)
{
	struct kma_page_walk walk = { .branch = branch, .metrics = metrics, .rows = rows };
	size_t nr = page_count(branch);

	walk.nodes = kma_xcalloc(nr, sizeof(*walk.nodes));
	/* Each node with children adds at most one combined row. */
	*rows = (struct kma_page_rows){ .rows = kma_xcalloc(2 * nr, sizeof(*rows->rows)),
					.leaves = kma_xcalloc(nr, sizeof(*rows->leaves)) };
	page_walk(&walk, branch);
	page_choose(&walk, max_nodes ?: KMA_PAGE_NODES);
	page_keep(&walk, 0, 0);
	free(walk.nodes);
}

void kma_page_rows_deinit(struct kma_page_rows *rows)
{
	free(rows->rows);
	free(rows->leaves);
	*rows = (struct kma_page_rows){ 0 };
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * union.c - merge two trees of owners into one.
 *
 * For each node of the union, the children of both sides are put into one list. The list is sorted
 * by key, so entries of one owner are neighbours and become one child. The key of a caller is the
 * text by which accounts are compared (kma_diff_key()), any other node's key is its name. Callers
 * of one side with the same key are added up. Time is that of the sorts; no node is searched for.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "union.h"

/* A child of one side. */
struct kma_union_entry {
	char *key;	   /* kma_diff_key() of a caller, else the name; allocated */
	unsigned int side; /* KMA_BEFORE or KMA_AFTER */
	const struct kma_node *node;
};

/* The children of one node of the union, of both sides. */
struct kma_union_list {
	const struct kma_union_params *params;
	struct kma_union_entry *entries;
	size_t nr;
	size_t alloc;
};

static void union_list_deinit(struct kma_union_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->entries[i].key);
	free(list->entries);
}

static void union_list_add(struct kma_union_list *list, unsigned int side,
			   const struct kma_node *node)
{
	struct kma_union_entry entry = { .side = side, .node = node };

	kma_array_room(list->entries, list->nr, list->alloc);
	if (node->kind == KMA_NODE_CALLER)
		entry.key = kma_diff_key(node->name, list->params->match);
	else
		entry.key = kma_xstrdup(node->name);
	list->entries[list->nr++] = entry;
}

/* Lists the children of a node, or in a flat union all leaves below it. */
static void union_list_children(struct kma_union_list *list, unsigned int side,
				const struct kma_node *node)
{
	for (size_t i = 0; i < node->nr_children; i++) {
		if (list->params->flat && !kma_node_is_leaf(node->children[i]))
			union_list_children(list, side, node->children[i]);
		else
			union_list_add(list, side, node->children[i]);
	}
}

/* A directory and a file of one name are one owner. A leaf of the same name is another owner. */
static int cmp_union(const void *a, const void *b)
{
	const struct kma_union_entry *x = a, *y = b;
	int cmp = strcmp(x->key, y->key);

	return cmp ? cmp : kma_node_is_leaf(x->node) - kma_node_is_leaf(y->node);
}

static void union_fill(struct kma_node *to, const struct kma_union_params *params,
		       const struct kma_node *const sides[]);

/* Sets the sizes of a leaf to the absolute changes. Derived metrics have no setter. */
static void union_change(struct kma_node *node)
{
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t before = kma_metrics[id].get(&node->sides[KMA_BEFORE]);
		uint64_t after = kma_metrics[id].get(&node->sides[KMA_AFTER]);

		if (kma_metrics[id].set)
			kma_metrics[id].set(kma_node_own(node),
					    before > after ? before - after : after - before);
	}
}

/* Copies the details of an owner; their texts belong to the trees of the sides. */
static void union_texts(struct kma_node *to, const struct kma_node *from)
{
	to->module = from->module ?: to->module;
	to->owner = from->owner ?: to->owner;
	/* the site of the later side, unless only the earlier one has a cache */
	if (from->site && (kma_node_cache(from) || !kma_node_cache(to)))
		to->site = from->site;
	if (from->function_len && from->function_len <= strlen(to->name))
		to->function_len = from->function_len;
}

/* Makes one child of the entries with one key, and fills it with the children of both sides. */
static void union_child(struct kma_node *to, const struct kma_union_params *params,
			const struct kma_union_entry *entries, size_t nr)
{
	const struct kma_node *sides[KMA_NR_SIDES] = { NULL };
	struct kma_node *node = kma_node_add_child(to, entries->node->kind, entries->key);

	kma_node_add_sides(node);
	for (size_t i = 0; i < nr; i++) {
		sides[entries[i].side] = entries[i].node;
		kma_values_add(&node->sides[entries[i].side], entries[i].node->values);
		union_texts(node, entries[i].node);
	}
	if (kma_node_is_leaf(node))
		union_change(node);
	else
		union_fill(node, params, sides);
}

static void union_fill(struct kma_node *to, const struct kma_union_params *params,
		       const struct kma_node *const sides[])
{
	_cleanup_(union_list_deinit) struct kma_union_list list = { .params = params };
	size_t next;

	for (unsigned int side = 0; side < KMA_NR_SIDES; side++)
		if (sides[side])
			union_list_children(&list, side, sides[side]);
	if (list.nr)
		qsort(list.entries, list.nr, sizeof(*list.entries), cmp_union);
	for (size_t i = 0; i < list.nr; i = next) {
		for (next = i + 1; next < list.nr; next++)
			if (cmp_union(&list.entries[i], &list.entries[next]))
				break;
		union_child(to, params, &list.entries[i], next - i);
	}
}

struct kma_node *kma_union_create(const struct kma_union_params *params)
{
	struct kma_node *root = kma_node_create();

	kma_node_add_sides(root);
	for (unsigned int side = 0; side < KMA_NR_SIDES; side++)
		root->sides[side] = *params->sides[side]->values;
	union_fill(root, params, params->sides);
	kma_node_roll_up(root);
	return root;
}

bool kma_union_use_after(struct kma_node *branch, enum kma_metric_id id)
{
	if (kma_metrics[id].get(branch->values))
		return false;
	for (size_t i = 0; i < branch->nr_children; i++)
		kma_union_use_after(branch->children[i], id);
	branch->values = &branch->sides[KMA_AFTER];
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * grouped.c - a tree by module, slab cache or subsystem.
 */
#include <stdlib.h>
#include <string.h>

#include "grouped.h"
#include "lib/cleanup.h"

struct kma_grouping {
	enum kma_by by;
	struct kma_rows keys; /* for texts */
	struct kma_node *to;
};

/* Finds or creates the file of a leaf, or its row in brackets, below its group. */
static struct kma_node *kma_grouped_parent(struct kma_node *group, const struct kma_node *holder)
{
	_cleanup_free_ char *path = NULL;

	if (!holder->parent)
		return group;
	if (holder->kind == KMA_NODE_NAMED)
		return kma_node_add_named(group, holder->name);
	path = kma_node_path(holder);
	return kma_node_add_path(group, path);
}

static struct kma_err *kma_grouped_leaf(struct kma_grouping *grouping, const struct kma_node *leaf)
{
	const char *key = kma_rows_key(&grouping->keys, leaf, grouping->by);
	struct kma_node *parent, *copy;

	if (!key)
		return &kma_enomem;
	parent = kma_grouped_parent(kma_node_add_dir(grouping->to, key), leaf->parent);
	if (leaf->kind == KMA_NODE_SECTION) {
		kma_node_add_module_section(parent, leaf->name, leaf->module, leaf->values);
		return NULL;
	}
	copy = kma_node_add_caller(parent, leaf->name, leaf->values);
	copy->site = leaf->site;
	copy->module = leaf->module;
	copy->function_len = leaf->function_len;
	return NULL;
}

static struct kma_err *kma_grouped_walk(struct kma_grouping *grouping, const struct kma_node *node)
{
	struct kma_err *err = NULL;

	if (kma_node_is_leaf(node))
		return kma_grouped_leaf(grouping, node);
	for (size_t i = 0; i < node->nr_children; i++) {
		err = kma_grouped_walk(grouping, node->children[i]);
		if (err)
			return err;
	}
	return NULL;
}

struct kma_err *kma_grouped_create(const struct kma_node *root, enum kma_by by,
				   struct kma_node **ret)
{
	struct kma_grouping grouping = { .by = by };
	struct kma_err *err;

	kma_arena_init(&grouping.keys.arena);
	grouping.to = kma_node_create();
	err = kma_grouped_walk(&grouping, root);
	kma_rows_deinit(&grouping.keys);
	if (err) {
		kma_node_destroy(grouping.to);
		return err;
	}
	kma_node_roll_up(grouping.to);
	*ret = grouping.to;
	return NULL;
}

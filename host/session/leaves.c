// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaves.c - find the leaf of each row of an account in its tree.
 */
#include <stdlib.h>

#include "load.h"
#include "leaves.h"
#include "tree/node.h"

/* Finds the leaves below a node: their live bytes are the number of the row. */
static void kma_leaves_find(struct kma_leaves *leaves, struct kma_node *node)
{
	uint64_t number = node->values.current;

	if (kma_node_is_leaf(node) && number && number <= leaves->nr)
		leaves->nodes[number - 1] = node;
	for (size_t i = 0; i < node->nr_children; i++)
		kma_leaves_find(leaves, node->children[i]);
}

static struct kma_err *kma_leaves_number(struct kma_account *account, struct kma_leaves *ret)
{
	kma_account_sites(account, &ret->nr);
	for (size_t i = 0; i < ret->nr; i++)
		kma_account_set_values(account, i, &(struct kma_values){ .current = i + 1 });
	ret->nodes = calloc(ret->nr + 1, sizeof(struct kma_node *));
	return ret->nodes ? NULL : &kma_enomem;
}

struct kma_err *kma_leaves_load(const struct kma_options *opts, struct kma_loaded *loaded,
				struct kma_leaves *ret)
{
	struct kma_err *err = kma_leaves_number(loaded->account, ret);

	if (!err)
		err = kma_load_kernel(opts, loaded);
	if (!err)
		kma_leaves_find(ret, loaded->kernel.root);
	return err;
}

struct kma_err *kma_leaves_join(enum kma_join_levels levels, const struct kma_loaded *from,
				struct kma_loaded *loaded, struct kma_leaves *ret)
{
	struct kma_err *err = kma_leaves_number(loaded->account, ret);

	if (!err)
		err = kma_join(loaded->account, from->kernel.source, levels, &loaded->kernel.root,
			       &loaded->kernel.stats);
	if (err)
		return err;
	loaded->has_files = from->has_files;
	kma_leaves_find(ret, loaded->kernel.root);
	return NULL;
}

void kma_leaves_deinit(struct kma_leaves *leaves)
{
	free(leaves->nodes);
}

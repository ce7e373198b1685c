// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaves.c - find the leaf of each row of an account in its tree.
 */
#include <stdlib.h>

#include "load.h"
#include "leaves.h"
#include "tree/node.h"

/* Finds the leaves below a node. */
static void kma_leaves_find(struct kma_leaves *leaves, const struct kma_site *sites,
			    struct kma_node *node)
{
	if (node->site)
		leaves->nodes[node->site - sites] = node;
	for (size_t i = 0; i < node->nr_children; i++)
		kma_leaves_find(leaves, sites, node->children[i]);
}

static struct kma_err *kma_leaves_of(const struct kma_loaded *loaded, struct kma_leaves *ret)
{
	const struct kma_site *sites = kma_account_sites(loaded->account, &ret->nr);

	ret->nodes = calloc(ret->nr + 1, sizeof(struct kma_node *));
	if (!ret->nodes)
		return &kma_enomem;
	kma_leaves_find(ret, sites, loaded->kernel.root);
	return NULL;
}

struct kma_err *kma_leaves_load(const struct kma_options *opts, struct kma_loaded *loaded,
				struct kma_leaves *ret)
{
	struct kma_err *err = kma_load_kernel(opts, loaded);

	return err ?: kma_leaves_of(loaded, ret);
}

struct kma_err *kma_leaves_join(enum kma_join_levels levels, const struct kma_loaded *from,
				struct kma_loaded *loaded, struct kma_leaves *ret)
{
	struct kma_err *err = kma_join(loaded->account, from->kernel.source, levels,
				       &loaded->kernel.root, &loaded->kernel.stats);

	if (err)
		return err;
	loaded->has_files = from->has_files;
	return kma_leaves_of(loaded, ret);
}

void kma_leaves_deinit(struct kma_leaves *leaves)
{
	free(leaves->nodes);
}

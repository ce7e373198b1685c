// SPDX-License-Identifier: GPL-2.0-only
/*
 * site-lines.c - find call sites in the tree of an account, by their callers.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/module-files.h"
#include "load.h"
#include "site-lines.h"
#include "tree/node.h"

static int kma_site_lines_compare(const void *a, const void *b)
{
	const struct kma_site_line *x = a, *y = b;

	return strcmp(x->caller, y->caller);
}

static int kma_site_lines_by_row(const void *a, const void *b)
{
	const struct kma_site_line *x = a, *y = b;

	return x->row < y->row ? -1 : x->row > y->row;
}

/* Sets a place from its leaf, which has "fs/ext4/inode.c:12" or a chain of these. */
static void kma_site_lines_set(struct kma_site_line *place, const struct kma_node *leaf)
{
	const char *colon = leaf->line ? strchr(leaf->line, ':') : NULL;

	place->line = colon ? strtoul(colon + 1, NULL, 10) : 0;
	if (leaf->parent && leaf->parent->kind == KMA_NODE_FILE)
		place->file = kma_node_path(leaf->parent);
}

/*
 * Finds the callers below a node. The text of a leaf may be another one than that of its site: that
 * of an inlined function, or the name of an address.
 */
static void kma_site_lines_below(const struct kma_node *node, struct kma_site_line *list, size_t nr)
{
	struct kma_site_line key = { .caller = node->site ? node->site->caller : "" };
	struct kma_site_line *place = NULL, *end = list + nr;

	if (node->site)
		place = bsearch(&key, list, nr, sizeof(key), kma_site_lines_compare);
	/* Several places may have one caller: go to the first. */
	while (place && place > list && !strcmp(place[-1].caller, key.caller))
		place--;
	for (; place && place < end && !strcmp(place->caller, key.caller); place++)
		if (!place->file)
			kma_site_lines_set(place, node);
	for (size_t i = 0; i < node->nr_children; i++)
		kma_site_lines_below(node->children[i], list, nr);
}

void kma_site_lines_find(const struct kma_node *root, struct kma_site_line *list, size_t nr)
{
	if (!nr)
		return;
	for (size_t i = 0; i < nr; i++)
		list[i].row = i;
	qsort(list, nr, sizeof(*list), kma_site_lines_compare);
	kma_site_lines_below(root, list, nr);
	qsort(list, nr, sizeof(*list), kma_site_lines_by_row);
}

/* Finds the places by an account, which is loaded first if it is not yet. */
static struct kma_err *kma_site_lines_load(const char *account,
					   const struct kma_kernel_query *query,
					   struct kma_loaded *loaded, struct kma_site_line *list,
					   size_t nr)
{
	struct kma_options opts = { .account = account, .quiet = true };
	struct kma_err *err = NULL;

	opts.kernel = *query;
	if (!loaded->account)
		err = kma_load_account(&opts, loaded);
	if (!err)
		err = kma_load_kernel(&opts, loaded);
	if (!err && loaded->kernel.root)
		kma_site_lines_find(loaded->kernel.root, list, nr);
	return err;
}

struct kma_err *kma_site_lines_read(const char *account, const struct kma_kernel_query *query,
				    struct kma_site_line *list, size_t nr)
{
	struct kma_loaded loaded = { 0 };
	struct kma_err *err;

	if (!nr || (!query->tree && !query->vmlinux))
		return NULL;
	err = kma_site_lines_load(account, query, &loaded, list, nr);
	kma_unload(&loaded);
	return err;
}

struct kma_err *kma_site_lines_kept(const struct kma_kernel_query *query,
				    struct kma_account *account, struct kma_site_line *list,
				    size_t nr)
{
	struct kma_loaded loaded = { .account = account };
	struct kma_err *err = NULL;

	if (nr && (query->tree || query->vmlinux))
		err = account ?
			      kma_site_lines_load(KMA_FILE_SNAPSHOT, query, &loaded, list, nr) :
			      kma_err_create(
				      NULL, 0,
				      "the scan has no places of call sites: a kernel cannot be used");
	kma_unload(&loaded);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-groups.c - the module, the slab cache or another key of each leaf of a page.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "page-groups.h"

/* A leaf of the page and its key. */
struct kma_page_key {
	const char *key;
	size_t leaf;
};

static int cmp_page_key(const void *a, const void *b)
{
	const struct kma_page_key *x = a, *y = b;
	int cmp = strcmp(x->key, y->key);

	return cmp ? cmp : (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

/* Text of a leaf; without the key it is in brackets. */
static const char *page_leaf_key(struct kma_page_groups *groups, const struct kma_node *leaf,
				 enum kma_key_id by)
{
	const struct kma_key_ask ask = { .keys = &KMA_BY(by), .arena = &groups->arena };

	/* A directory without files is a leaf of the page without a key: use its name. */
	return kma_node_is_leaf(leaf) ? kma_key_text(leaf, by, &ask) : leaf->name;
}

/* Does a leaf have a key? What is not in a module is in the kernel proper. */
static bool page_key_is_known(struct kma_page_groups *groups, const struct kma_node *leaf)
{
	if (groups->by == KMA_KEY_MODULE || !kma_node_is_leaf(leaf))
		return leaf->module;
	return *page_leaf_key(groups, leaf, groups->by) != '[';
}

/* Key of a row; KMA_PAGE_MIXED if its combined leaves have different ones. */
static const char *page_row_key(struct kma_page_groups *groups, const struct kma_page_rows *rows,
				const struct kma_page_row *row, enum kma_key_id by)
{
	const char *key = page_leaf_key(groups, rows->leaves[row->first], by);

	for (size_t i = 1; i < row->nr_leaves; i++)
		if (strcmp(key, page_leaf_key(groups, rows->leaves[row->first + i], by)))
			return KMA_PAGE_MIXED;
	return key;
}

static void page_groups_find(struct kma_page_groups *groups, const struct kma_page_rows *rows,
			     struct kma_page_key *list)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		if (!rows->rows[i].leaf)
			continue;
		list[nr].leaf = nr;
		list[nr++].key = page_row_key(groups, rows, &rows->rows[i], groups->by);
	}
	groups->nr_leaves = nr;
	if (nr)
		qsort(list, nr, sizeof(*list), cmp_page_key);
	for (size_t i = 0; i < nr; i++) {
		if (!i || strcmp(list[i].key, list[i - 1].key))
			groups->names[groups->nr++] = list[i].key;
		groups->of[list[i].leaf] = groups->nr - 1;
	}
}

void kma_page_groups_init(struct kma_page_groups *groups, const struct kma_page_rows *rows,
			  enum kma_key_id by, bool asked)
{
	_cleanup_free_ struct kma_page_key *list = NULL;
	bool known = asked;

	memset(groups, 0, sizeof(*groups));
	groups->by = by;
	kma_arena_init(&groups->arena);
	for (size_t i = 0; i < rows->nr_leaves && !known; i++)
		known = page_key_is_known(groups, rows->leaves[i]);
	if (!known)
		return;
	list = kma_xcalloc(rows->nr, sizeof(*list));
	groups->names = kma_xcalloc(rows->nr, sizeof(*groups->names));
	groups->of = kma_xcalloc(rows->nr, sizeof(*groups->of));
	page_groups_find(groups, rows, list);
}

void kma_page_groups_deinit(struct kma_page_groups *groups)
{
	kma_arena_deinit(&groups->arena);
	free(groups->names);
	free(groups->of);
}

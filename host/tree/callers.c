// SPDX-License-Identifier: GPL-2.0-only
/*
 * callers.c - the stacks of an account as a tree of functions.
 *
 * A stack is a text, "innermost;caller;caller's caller". It becomes a way: the names of the nodes
 * from the root to the leaf, in one allocation. Offsets are cut from all frames except the call
 * site, so stacks that differ only in the places of calls within the same functions have equal
 * ways. The ways are sorted, equal neighbours are added up, and each distinct way adds one leaf.
 * Without the sort a node would get a leaf for each stack. Time is that of the sort.
 */
#include <stdlib.h>
#include <string.h>

#include "callers.h"
#include "lib/alloc.h"

/*
 * Frames of a stack that become nodes; the outer ones beyond this share one node. Functions that
 * walk the tree are recursive, so its depth is limited.
 */
#define KMA_CALLERS_DEEP 60
#define KMA_CALLERS_MORE "[more frames]"

/* The names of the nodes of a stack, from the root to the leaf. */
struct kma_callers_way {
	char *names;			 /* each is followed by a zero byte */
	unsigned int nr;		 /* number of names */
	const struct kma_values *values; /* of the site with this stack */
};

/* Length of a frame's name: "new_inode+0x13/0x50 [ext4]" is new_inode, but a call site is whole. */
static size_t kma_callers_len(const char *frame, size_t len, bool site)
{
	size_t name = strcspn(frame, "+");

	return site || name > len || *frame == '[' ? len : name;
}

/* Cuts a stack into frames, the call site first. Returns their number. */
static unsigned int kma_callers_frames(const char *stack, const char **frames, size_t *lens)
{
	unsigned int nr = 0;

	while (*stack && nr < KMA_CALLERS_DEEP) {
		frames[nr] = stack;
		lens[nr] = strcspn(stack, ";");
		stack += lens[nr];
		stack += *stack == ';';
		nr++;
	}
	if (*stack) {
		frames[nr - 1] = KMA_CALLERS_MORE;
		lens[nr - 1] = strlen(KMA_CALLERS_MORE);
	}
	return nr;
}

static void kma_callers_way(const struct kma_site *site, enum kma_callers_order order,
			    struct kma_callers_way *ret)
{
	const char *frames[KMA_CALLERS_DEEP], *stack = site->stack ?: site->caller;
	size_t lens[KMA_CALLERS_DEEP];
	char *p;

	ret->values = &site->values;
	ret->nr = kma_callers_frames(stack, frames, lens);
	/* Names are shorter than frames; "[more frames]" may be longer than the last one. */
	ret->names = kma_xcalloc(1, strlen(stack) + sizeof(KMA_CALLERS_MORE) + 2);
	p = ret->names;
	for (unsigned int i = 0; i < ret->nr; i++) {
		unsigned int frame = order == KMA_CALLERS_DOWN ? ret->nr - 1 - i : i;
		size_t len = kma_callers_len(frames[frame], lens[frame], !frame);

		memcpy(p, frames[frame], len);
		p += len + 1;
	}
}

static int kma_cmp_way(const void *a, const void *b)
{
	const struct kma_callers_way *x = a, *y = b;
	const char *p = x->names, *q = y->names;

	for (unsigned int i = 0; i < x->nr && i < y->nr; i++) {
		int order = strcmp(p, q);

		if (order)
			return order;
		p += strlen(p) + 1;
		q += strlen(q) + 1;
	}
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* Adds the nodes of a way and its leaf, which gets the sum of all equal ways. */
static void kma_callers_add(struct kma_node *root, const struct kma_callers_way *way,
			    const struct kma_values *values)
{
	struct kma_node *node = root, *leaf;
	const char *name = way->names;

	for (unsigned int i = 0; i + 1 < way->nr; i++) {
		node = kma_node_add_dir(node, name);
		name += strlen(name) + 1;
	}
	leaf = kma_node_add_caller(node, name, values);
	if (*name != '[')
		leaf->function_len = strcspn(name, "+");
}

struct kma_node *kma_callers_tree(const struct kma_account *account, enum kma_callers_order order)
{
	struct kma_node *root = kma_node_create();
	struct kma_callers_way *ways;
	const struct kma_site *sites;
	size_t nr, next;

	sites = kma_account_sites(account, &nr);
	ways = kma_xcalloc(nr + 1, sizeof(*ways));
	for (size_t i = 0; i < nr; i++)
		kma_callers_way(&sites[i], order, &ways[i]);
	qsort(ways, nr, sizeof(*ways), kma_cmp_way);
	for (size_t i = 0; i < nr; i = next) {
		struct kma_values sum = *ways[i].values;

		for (next = i + 1; next < nr && !kma_cmp_way(&ways[i], &ways[next]); next++)
			kma_values_add(&sum, ways[next].values);
		kma_callers_add(root, &ways[i], &sum);
	}
	for (size_t i = 0; i < nr; i++)
		free(ways[i].names);
	free(ways);
	kma_node_roll_up(root);
	return root;
}

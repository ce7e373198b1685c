// SPDX-License-Identifier: GPL-2.0-only
/*
 * node.c - the tree of owners.
 *
 * A child is found by name. Up to KMA_NODE_FEW children are compared one by one; with the next
 * child the parent gets a tsearch(3) tree of names, because an input may name a million files in
 * one directory. Leaves are never looked up by name and are not in that tree.
 *
 * An input may also have a million callers, so creating a node must be cheap: the node and its
 * texts are allocated from an arena, which the root owns. Only the arrays of children and the
 * search trees use malloc(). node_arena() reaches the arena through the parents, at most 64
 * steps, so a node needs no pointer to its root.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "node.h"

/* Up to this many children are compared one by one; with more, a search tree has their names. */
#define KMA_NODE_FEW 16

/* Components of a path that become nodes. No kernel has half as many, but an input may. */
#define KMA_NODE_DEEP 64

struct kma_root {
	struct kma_node node; /* the first member: a root is a node */
	struct kma_values sum;
	struct kma_arena arena;
};

static struct kma_arena *node_arena(struct kma_node *node)
{
	while (node->parent)
		node = node->parent;
	return &((struct kma_root *)node)->arena;
}

static int cmp_child(const void *a, const void *b)
{
	const struct kma_node *x = a, *y = b;

	return strcmp(x->name, y->name);
}

bool kma_node_is_leaf(const struct kma_node *node)
{
	return node->kind == KMA_NODE_CALLER || node->kind == KMA_NODE_SECTION;
}

/* Adds a child to the search tree, unless it is a leaf. */
static void node_index(struct kma_node *parent, struct kma_node *child)
{
	if (!kma_node_is_leaf(child))
		kma_xmem(tsearch(child, &parent->names, cmp_child));
}

/*
 * Makes the newest child known to node_child(): the child after the KMA_NODE_FEWth creates the
 * search tree with all before it.
 */
static void node_know(struct kma_node *parent, struct kma_node *child)
{
	if (parent->nr_children <= KMA_NODE_FEW)
		return;
	for (size_t i = 0; parent->nr_children == KMA_NODE_FEW + 1 && i < KMA_NODE_FEW; i++)
		node_index(parent, parent->children[i]);
	node_index(parent, child);
}

/* @name belongs to the tree, or outlives it. */
static struct kma_node *node_make(struct kma_node *parent, enum kma_node_kind kind,
				  const char *name)
{
	struct kma_node *node = kma_arena_zalloc(node_arena(parent), sizeof(*node));

	kma_array_room(parent->children, parent->nr_children, parent->alloc_children);
	node->name = name;
	node->kind = kind;
	node->parent = parent;
	parent->children[parent->nr_children++] = node;
	node_know(parent, node);
	return node;
}

static struct kma_node *node_new(struct kma_node *parent, enum kma_node_kind kind, const char *name,
				 size_t len)
{
	struct kma_arena *arena = node_arena(parent);
	struct kma_node *node = node_make(parent, kind, kma_arena_text(arena, name, len));

	node->values = kma_arena_zalloc(arena, sizeof(*node->values));
	return node;
}

struct kma_values *kma_node_own(struct kma_node *node)
{
	/* from node_new() or kma_node_create(): not const */
	return (struct kma_values *)node->values;
}

struct kma_node *kma_node_create(void)
{
	struct kma_root *root = kma_xcalloc(1, sizeof(*root));

	kma_arena_init(&root->arena);
	root->node.kind = KMA_NODE_ROOT;
	root->node.name = "";
	root->node.values = &root->sum;
	return &root->node;
}

/* For tdestroy(): the keys of the search tree are nodes, which belong to the arena. */
static void node_forget(void *child)
{
	(void)child;
}

/* Frees what is allocated outside the arena. */
static void node_release(struct kma_node *node)
{
	if (kma_node_is_leaf(node))
		return;
	tdestroy(node->names, node_forget);
	for (size_t i = 0; i < node->nr_children; i++)
		node_release(node->children[i]);
	free(node->children);
}

void kma_node_destroy(struct kma_node *root)
{
	if (!root)
		return;
	node_release(root);
	kma_arena_deinit(node_arena(root));
	free(root);
}

struct kma_node *kma_node_add_child(struct kma_node *parent, enum kma_node_kind kind,
				    const char *name)
{
	return node_new(parent, kind, name, strlen(name));
}

static struct kma_node *node_child(const struct kma_node *node, const char *name, size_t len)
{
	_cleanup_free_ char *copy = NULL;
	struct kma_node *const *found;
	struct kma_node key = { 0 };

	if (node->nr_children > KMA_NODE_FEW) {
		copy = kma_xstrndup(name, len);
		key.name = copy;
		found = tfind(&key, &node->names, cmp_child);
		return found ? *found : NULL;
	}
	for (size_t i = 0; i < node->nr_children; i++) {
		struct kma_node *child = node->children[i];

		if (!kma_node_is_leaf(child) && !strncmp(child->name, name, len) &&
		    !child->name[len])
			return child;
	}
	return NULL;
}

static struct kma_node *node_get(struct kma_node *parent, enum kma_node_kind kind, const char *name,
				 size_t len)
{
	return node_child(parent, name, len) ?: node_new(parent, kind, name, len);
}

struct kma_node *kma_node_add_path(struct kma_node *root, const char *path)
{
	struct kma_node *node = root;
	unsigned int depth = 0;

	while (*path) {
		/* Functions that walk the tree are recursive: limit its depth. */
		size_t len = ++depth < KMA_NODE_DEEP ? strcspn(path, "/") : strlen(path);
		bool last = !path[len];

		if (len)
			node = node_get(node, last ? KMA_NODE_FILE : KMA_NODE_DIR, path, len);
		path += len + !last;
	}
	return node;
}

struct kma_node *kma_node_add_dir(struct kma_node *parent, const char *name)
{
	return node_get(parent, KMA_NODE_DIR, name, strlen(name));
}

struct kma_node *kma_node_add_named(struct kma_node *root, const char *name)
{
	return node_get(root, KMA_NODE_NAMED, name, strlen(name));
}

struct kma_node *kma_node_add_caller(struct kma_node *parent, const char *caller,
				     const struct kma_values *values)
{
	struct kma_node *node = node_new(parent, KMA_NODE_CALLER, caller, strlen(caller));

	*kma_node_own(node) = *values;
	return node;
}

void kma_node_add_site(struct kma_node *parent, const struct kma_site *site)
{
	struct kma_node *node = node_make(parent, KMA_NODE_CALLER, kma_site_text(site));

	node->site = site;
	node->values = &site->values;
	node->module = site->module;
}

static void node_set(struct kma_node *node, const char **to, const char *text)
{
	if (text)
		*to = kma_arena_text(node_arena(node), text, strlen(text));
}

void kma_node_add_sides(struct kma_node *node)
{
	node->sides = kma_arena_zalloc(node_arena(node), KMA_NR_SIDES * sizeof(*node->sides));
}

const char *kma_node_function(const struct kma_node *node, size_t *len)
{
	const struct kma_place *place = kma_node_place(node);
	const char *function = place ? place->function : NULL;

	if (!function && node->site)
		function = node->site->symbol;
	*len = function ? strlen(function) : node->function_len;
	return function ?: *len ? node->name : NULL;
}

static bool node_is_section(const struct kma_node *node, const char *name, const char *module)
{
	return node->kind == KMA_NODE_SECTION && !strcmp(node->name, name) &&
	       !strcmp(node->module ?: "", module ?: "");
}

void kma_node_add_section(struct kma_node *parent, const char *name,
			  const struct kma_values *values)
{
	kma_node_add_module_section(parent, name, NULL, values);
}

void kma_node_add_module_section(struct kma_node *parent, const char *name, const char *module,
				 const struct kma_values *values)
{
	struct kma_node *node = NULL;

	for (size_t i = 0; i < parent->nr_children && !node; i++)
		if (node_is_section(parent->children[i], name, module))
			node = parent->children[i];
	if (!node) {
		node = node_new(parent, KMA_NODE_SECTION, name, strlen(name));
		node_set(node, &node->module, module);
	}
	kma_values_add(kma_node_own(node), values);
}

void kma_node_roll_up(struct kma_node *node)
{
	struct kma_values *sum = kma_node_own(node);

	if (kma_node_is_leaf(node))
		return;
	*sum = (struct kma_values){ 0 };
	for (size_t i = 0; i < node->nr_children; i++) {
		kma_node_roll_up(node->children[i]);
		kma_values_add(sum, node->children[i]->values);
	}
}

/* Rows in brackets come last. A module without its source is an owner, as a directory is. */
static bool node_is_last(const struct kma_node *node)
{
	return node->kind == KMA_NODE_NAMED &&
	       strncmp(node->name, KMA_NODE_MODULE, strlen(KMA_NODE_MODULE));
}

static int cmp_node(const void *a, const void *b, void *arg)
{
	const struct kma_node *x = *(struct kma_node *const *)a;
	const struct kma_node *y = *(struct kma_node *const *)b;
	const struct kma_metric *metric = arg;
	int cmp = node_is_last(x) - node_is_last(y);

	if (!cmp)
		cmp = metric->compare(x->values, y->values);
	return cmp ? cmp : strcmp(x->name, y->name);
}

void kma_node_sort(struct kma_node *node, enum kma_metric_id metric)
{
	if (node->nr_children)
		qsort_r(node->children, node->nr_children, sizeof(struct kma_node *), cmp_node,
			(void *)&kma_metrics[metric]);
	for (size_t i = 0; i < node->nr_children; i++)
		kma_node_sort(node->children[i], metric);
}

/*
 * Levenshtein distance of two names: letters to change, add or drop. Takes one row of the usual
 * table at a time. Names of 64 bytes or more are never suggested.
 */
static size_t name_distance(const char *a, size_t a_len, const char *b)
{
	size_t b_len = strlen(b);
	size_t row[64];

	if (b_len >= ARRAY_SIZE(row))
		return SIZE_MAX;
	for (size_t j = 0; j <= b_len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[b_len];
}

static const struct kma_node *node_nearest(const struct kma_node *node, const char *name,
					   size_t len)
{
	const struct kma_node *nearest = NULL;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < node->nr_children; i++) {
		size_t distance;

		if (kma_node_is_leaf(node->children[i]))
			continue;
		distance = name_distance(name, len, node->children[i]->name);
		if (distance < best) {
			best = distance;
			nearest = node->children[i];
		}
	}
	return nearest;
}

static struct kma_err *node_no_branch(const struct kma_node *node, const char *path,
				      const char *name, size_t len)
{
	const struct kma_node *nearest = node_nearest(node, name, len);
	struct kma_err *err;
	char *hint;

	if (!nearest)
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0, "there is no branch '%s'",
					   path);
	hint = kma_node_path(nearest);
	err = kma_err_create_kind(KMA_ERR_NOT_FOUND, NULL, 0,
				  "there is no branch '%s'; the nearest is '%s'", path,
				  hint ?: nearest->name);
	free(hint);
	return err;
}

struct kma_err *kma_node_find(struct kma_node *root, const char *path, struct kma_node **ret)
{
	struct kma_node *node = root;
	const char *p = path;

	while (*p) {
		size_t len = *p == '[' ? strlen(p) : strcspn(p, "/");
		struct kma_node *child = len ? node_child(node, p, len) : node;

		/* A name in brackets may contain a slash, or be a directory in brackets. */
		if (!child && *p == '[') {
			len = strcspn(p, "/");
			child = node_child(node, p, len);
		}
		if (!child)
			return node_no_branch(node, path, p, len);
		node = child;
		p += len + (p[len] == '/');
	}
	*ret = node;
	return NULL;
}

/* Is there a slash before the name of a node in its path? The root cgroup's name is one. */
static bool node_has_slash(const struct kma_node *node)
{
	return node->parent->parent && strcmp(node->parent->name, "/") != 0;
}

char *kma_node_path(const struct kma_node *node)
{
	const struct kma_node *n;
	size_t len = 0;
	char *path, *p;

	for (n = node; n->parent; n = n->parent)
		len += strlen(n->name) + node_has_slash(n);
	path = kma_xmalloc(len + 1);
	p = path + len;
	*p = '\0';
	for (n = node; n->parent; n = n->parent) {
		size_t part = strlen(n->name);

		p -= part;
		memcpy(p, n->name, part);
		if (node_has_slash(n))
			*--p = '/';
	}
	return path;
}

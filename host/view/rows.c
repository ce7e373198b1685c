// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - a tree as a list.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

const char *const kma_by_names[KMA_NR_BY] = {
	[KMA_BY_CALLER] = "caller",
	[KMA_BY_FILE] = "file",
	[KMA_BY_DIR] = "dir",
	[KMA_BY_LINE] = "line",
	[KMA_BY_FUNCTION] = "function",
	[KMA_BY_MODULE] = "module",
	[KMA_BY_SUBSYSTEM] = "subsystem",
};

const char *const kma_by_titles[KMA_NR_BY] = {
	[KMA_BY_CALLER] = "caller",	  [KMA_BY_FILE] = "file",
	[KMA_BY_DIR] = "directory",	  [KMA_BY_LINE] = "line",
	[KMA_BY_FUNCTION] = "function",	  [KMA_BY_MODULE] = "module",
	[KMA_BY_SUBSYSTEM] = "subsystem",
};

/* Takes the key in any case. */
static struct kma_err *kma_rows_add(struct kma_rows *rows, char *key,
				    const struct kma_values *values)
{
	if (!key)
		return &kma_enomem;
	if (rows->nr == rows->alloc) {
		size_t alloc = rows->alloc ? rows->alloc * 2 : 256;
		struct kma_row *bigger = realloc(rows->rows, alloc * sizeof(*bigger));

		if (!bigger) {
			free(key);
			return &kma_enomem;
		}
		rows->rows = bigger;
		rows->alloc = alloc;
	}
	rows->rows[rows->nr++] = (struct kma_row){ key, *values };
	kma_values_add(&rows->total, values);
	return NULL;
}

/* What the files of a directory hold, without its subdirectories. */
static struct kma_err *kma_rows_add_own(struct kma_rows *rows, const struct kma_node *dir)
{
	struct kma_values own = { 0 };
	bool any = false;
	char *key;

	for (size_t i = 0; i < dir->nr_children; i++) {
		if (dir->children[i]->kind != KMA_NODE_FILE)
			continue;
		any = true;
		kma_values_add(&own, &dir->children[i]->values);
	}
	if (!any)
		return NULL;
	key = dir->parent ? kma_node_path(dir) : strdup(".");
	return kma_rows_add(rows, key, &own);
}

static unsigned int kma_node_depth(const struct kma_node *node)
{
	unsigned int depth = 0;

	for (; node->parent; node = node->parent)
		depth++;
	return depth;
}

static struct kma_err *kma_rows_walk(struct kma_rows *rows, const struct kma_node *node,
				     enum kma_by by, unsigned int depth)
{
	bool leaf = kma_node_is_leaf(node);
	struct kma_err *err = NULL;

	if (by != KMA_BY_CALLER)
		leaf |= node->kind == KMA_NODE_NAMED || (node->kind == KMA_NODE_FILE);
	if (by == KMA_BY_DIR && node->kind == KMA_NODE_DIR)
		leaf |= depth && kma_node_depth(node) >= depth;
	if (leaf)
		return kma_rows_add(rows,
				    node->kind == KMA_NODE_CALLER ? strdup(node->name) :
								    kma_node_path(node),
				    &node->values);
	if (by == KMA_BY_DIR)
		err = kma_rows_add_own(rows, node);
	for (size_t i = 0; i < node->nr_children && !err; i++)
		if (by != KMA_BY_DIR || node->children[i]->kind != KMA_NODE_FILE)
			err = kma_rows_walk(rows, node->children[i], by, depth);
	return err;
}

/* The file or the bracketed row that a leaf is below; NULL: nothing is known of files. */
static const struct kma_node *kma_node_holder(const struct kma_node *leaf)
{
	return leaf->parent && leaf->parent->parent ? leaf->parent : NULL;
}

static char *kma_key_line(const struct kma_node *leaf, const struct kma_node *holder)
{
	(void)holder;
	return strdup(leaf->line ?: "[no line]");
}

/* Static functions share names, so the file is part of it. */
static char *kma_key_function(const struct kma_node *leaf, const struct kma_node *holder)
{
	char *path = holder && holder->kind == KMA_NODE_FILE ? kma_node_path(holder) : NULL;
	char *key;

	if (!leaf->function)
		key = strdup(leaf->kind == KMA_NODE_SECTION ? "[no function]" : leaf->name);
	else if (!path)
		key = strdup(leaf->function);
	else if (asprintf(&key, "%s (%s)", leaf->function, path) < 0)
		key = NULL;
	free(path);
	return key;
}

static char *kma_key_module(const struct kma_node *leaf, const struct kma_node *holder)
{
	/* An address alone may be of any module. */
	if (leaf->kind == KMA_NODE_CALLER && !leaf->function && !leaf->module &&
	    !(holder && holder->kind == KMA_NODE_FILE))
		return strdup("[unknown address]");
	return strdup(leaf->module ?: "vmlinux");
}

static char *kma_key_subsystem(const struct kma_node *leaf, const struct kma_node *holder)
{
	(void)leaf;
	return strdup(holder && holder->owner ? holder->owner : "[no maintainer]");
}

/* Rows that are no level of the tree: the key of each leaf, its bracketed row known. */
static const struct {
	char *(*key)(const struct kma_node *leaf, const struct kma_node *holder);
	bool named; /* leaves of bracketed rows have a key, too */
} kma_keys[KMA_NR_BY] = {
	[KMA_BY_LINE] = { kma_key_line, false },
	[KMA_BY_FUNCTION] = { kma_key_function, true },
	[KMA_BY_MODULE] = { kma_key_module, true },
	[KMA_BY_SUBSYSTEM] = { kma_key_subsystem, false },
};

static struct kma_err *kma_rows_leaves(struct kma_rows *rows, const struct kma_node *node,
				       enum kma_by by)
{
	const struct kma_node *holder;
	struct kma_err *err = NULL;
	bool named;

	if (kma_node_is_leaf(node)) {
		holder = kma_node_holder(node);
		named = holder && holder->kind == KMA_NODE_NAMED &&
			(!kma_keys[by].named || (!node->module && !node->function));
		return kma_rows_add(rows,
				    named ? strdup(holder->name) : kma_keys[by].key(node, holder),
				    &node->values);
	}
	for (size_t i = 0; i < node->nr_children && !err; i++)
		err = kma_rows_leaves(rows, node->children[i], by);
	return err;
}

static int kma_cmp_key(const void *a, const void *b)
{
	const struct kma_row *x = a, *y = b;

	return strcmp(x->key, y->key);
}

/* One row for each key. */
static void kma_rows_merge(struct kma_rows *rows)
{
	size_t kept = 0;

	if (!rows->nr)
		return;
	qsort(rows->rows, rows->nr, sizeof(*rows->rows), kma_cmp_key);
	for (size_t i = 1; i < rows->nr; i++) {
		if (strcmp(rows->rows[kept].key, rows->rows[i].key)) {
			rows->rows[++kept] = rows->rows[i];
			continue;
		}
		kma_values_add(&rows->rows[kept].values, &rows->rows[i].values);
		free(rows->rows[i].key);
	}
	rows->nr = kept + 1;
}

struct kma_err *kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, enum kma_by by,
			      unsigned int depth)
{
	struct kma_err *err;

	memset(rows, 0, sizeof(*rows));
	if (!kma_keys[by].key)
		return kma_rows_walk(rows, branch, by, depth);
	err = kma_rows_leaves(rows, branch, by);
	if (!err)
		kma_rows_merge(rows);
	return err;
}

void kma_rows_deinit(struct kma_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->rows[i].key);
	free(rows->rows);
	memset(rows, 0, sizeof(*rows));
}

static int kma_cmp_row(const void *a, const void *b, void *arg)
{
	const struct kma_row *x = a, *y = b;
	const struct kma_metric *metric = arg;
	int cmp = metric->compare(&x->values, &y->values);

	return cmp ? cmp : strcmp(x->key, y->key);
}

void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric)
{
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), kma_cmp_row,
			(void *)&kma_metrics[metric]);
}

struct kma_err *kma_rows_top(struct kma_rows *rows, size_t top)
{
	struct kma_values other = { 0 };
	char *key;

	/* One row that says "other (1 rows)" would say less than the row itself. */
	if (!top || rows->nr <= top + 1)
		return NULL;
	if (asprintf(&key, "other (%zu rows)", rows->nr - top) < 0)
		return &kma_enomem;
	for (size_t i = top; i < rows->nr; i++) {
		kma_values_add(&other, &rows->rows[i].values);
		free(rows->rows[i].key);
	}
	rows->nr = top + 1;
	rows->rows[top] = (struct kma_row){ key, other };
	return NULL;
}

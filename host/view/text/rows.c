// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - list a tree.
 *
 * Rows by caller, file or directory come from one walk over the tree; their texts and numbers
 * belong to the nodes where possible, so a million callers cost one struct kma_row each. For any
 * other keys each leaf makes a row, the rows are sorted by key, and equal neighbours are added up; so
 * are rows by caller if two have the same caller, which few inputs have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "lib/twins.h"
#include "rows.h"

static void add_row(struct kma_rows *rows, const char *key, const struct kma_values *values)
{
	kma_array_room(rows->rows, rows->nr, rows->alloc);
	rows->rows[rows->nr++] = (struct kma_row){ .key = key, .values = values };
	kma_values_add(&rows->total, values);
}

/* Sets the kind of the row that was added last, by caller, from its leaf. */
static void set_kind(struct kma_rows *rows, const struct kma_node *leaf)
{
	/* Static sizes have no call sites. Callers that are compared are not divided by kind. */
	if (!leaf->site || leaf->sides)
		return;
	rows->sites = true;
	rows->rows[rows->nr - 1].kind = leaf->site->kind;
	rows->kinds |= leaf->site->kind != KMA_KIND_UNKNOWN;
}

/* Memory for a sum that belongs to no node. */
static struct kma_values *new_sum(struct kma_rows *rows)
{
	return kma_arena_zalloc(&rows->arena, sizeof(struct kma_values));
}

static const char *path_of(struct kma_rows *rows, const struct kma_node *node)
{
	_cleanup_free_ char *path = kma_node_path(node);

	return kma_arena_text(&rows->arena, path, strlen(path));
}

/* Adds a row with the sum of the files of a directory, without its subdirectories. */
static void add_own(struct kma_rows *rows, const struct kma_node *dir)
{
	struct kma_values *own = NULL;

	for (size_t i = 0; i < dir->nr_children; i++) {
		if (dir->children[i]->kind != KMA_NODE_FILE)
			continue;
		own = own ?: new_sum(rows);
		kma_values_add(own, dir->children[i]->values);
	}
	if (own)
		add_row(rows, dir->parent ? path_of(rows, dir) : ".", own);
}

static unsigned int depth_of(const struct kma_node *node)
{
	unsigned int depth = 0;

	for (; node->parent; node = node->parent)
		depth++;
	return depth;
}

static void walk(struct kma_rows *rows, const struct kma_node *node, enum kma_key_id by,
		 unsigned int depth)
{
	bool leaf = kma_node_is_leaf(node);

	if (by != KMA_KEY_CALLER)
		leaf |= node->kind == KMA_NODE_NAMED || node->kind == KMA_NODE_FILE;
	if (by == KMA_KEY_DIR && node->kind == KMA_NODE_DIR)
		leaf |= depth && depth_of(node) >= depth;
	if (leaf) {
		add_row(rows, node->kind == KMA_NODE_CALLER ? node->name : path_of(rows, node),
			node->values);
		if (by == KMA_KEY_CALLER)
			set_kind(rows, node);
		return;
	}
	if (by == KMA_KEY_DIR)
		add_own(rows, node);
	for (size_t i = 0; i < node->nr_children; i++)
		if (by != KMA_KEY_DIR || node->children[i]->kind != KMA_NODE_FILE)
			walk(rows, node->children[i], by, depth);
}

static void add_leaves(struct kma_rows *rows, const struct kma_node *node,
		       const struct kma_key_ask *ask)
{
	if (kma_node_is_leaf(node)) {
		add_row(rows, kma_keys_text(node, ask), node->values);
		if (kma_keys_have(ask->keys, KMA_KEY_TYPE) && node->site && node->site->place)
			rows->rows[rows->nr - 1].type_size = node->site->place->type_size;
		if (kma_keys_are(ask->keys, KMA_KEY_CACHE) && node->site && !node->site->caches)
			rows->rows[rows->nr - 1].aliases = node->site->aliases;
	}
	for (size_t i = 0; i < node->nr_children; i++)
		add_leaves(rows, node->children[i], ask);
}

static int cmp_key(const void *a, const void *b)
{
	const struct kma_row *x = a, *y = b;

	return strcmp(x->key, y->key) ?: (int)x->kind - (int)y->kind;
}

/* Sorts the rows by key and kind, and adds up those with both equal. */
static void merge(struct kma_rows *rows)
{
	size_t kept = 0, next;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_key);
	for (size_t i = 0; i < rows->nr; i = next) {
		struct kma_row row = rows->rows[i];
		struct kma_values *sum = NULL;

		for (next = i + 1; next < rows->nr && !cmp_key(&row, &rows->rows[next]); next++) {
			if (!sum) {
				sum = new_sum(rows);
				*sum = *row.values;
				row.values = sum;
			}
			kma_values_add(sum, rows->rows[next].values);
			if (rows->rows[next].type_size != row.type_size)
				row.type_size = 0;
		}
		rows->rows[kept++] = row;
	}
	rows->nr = kept;
}

/* Sets the label of a row by one key, if it differs from the text: "pid (also eventpoll_epi)". */
static void set_label(struct kma_rows *rows, struct kma_row *row, enum kma_key_id id)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };

	if (row->aliases)
		kma_strbuf_printf(&label, "%s (also %s)", row->key, row->aliases);
	else
		kma_key_label(id, row->key, &label);
	if (label.len && strcmp(label.str, row->key))
		row->label = kma_arena_text(&rows->arena, label.str, label.len);
}

static const char *row_text(const void *arg, size_t i)
{
	const struct kma_rows *rows = arg;

	return rows->rows[i].key;
}

/*
 * Adds up the rows of one caller and kind, and labels rows of one caller and several kinds:
 * "alloc_inode+0x4f/0x90 (page)".
 */
static void tell_apart(struct kma_rows *rows)
{
	_cleanup_free_ bool *twins = NULL;

	if (rows->sites)
		twins = kma_twins_find(rows->nr, row_text, rows);
	if (!twins)
		return;
	merge(rows);
	for (size_t i = 1; i < rows->nr; i++) {
		if (strcmp(rows->rows[i - 1].key, rows->rows[i].key))
			continue;
		for (struct kma_row *row = &rows->rows[i - 1]; row <= &rows->rows[i]; row++) {
			_cleanup_free_ char *label =
				kma_xasprintf("%s%s", row->key, kma_kind_remarks[row->kind]);

			row->label = kma_arena_text(&rows->arena, label, strlen(label));
		}
	}
}

void kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, const struct kma_keys *by,
		   unsigned int depth)
{
	const struct kma_key_ask ask = { .keys = by, .depth = depth, .arena = &rows->arena };

	memset(rows, 0, sizeof(*rows));
	kma_arena_init(&rows->arena);
	if (kma_keys_are(by, KMA_KEY_CALLER) || kma_keys_are(by, KMA_KEY_FILE) ||
	    kma_keys_are(by, KMA_KEY_DIR)) {
		walk(rows, branch, by->list[0], depth);
		tell_apart(rows);
		return;
	}
	add_leaves(rows, branch, &ask);
	merge(rows);
	for (size_t i = 0; i < rows->nr && by->nr == 1; i++)
		set_label(rows, &rows->rows[i], by->list[0]);
}

void kma_rows_deinit(struct kma_rows *rows)
{
	kma_arena_deinit(&rows->arena);
	free(rows->rows);
	memset(rows, 0, sizeof(*rows));
}

static int cmp_row(const void *a, const void *b)
{
	const struct kma_row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return cmp_key(x, y);
}

void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric)
{
	for (size_t i = 0; i < rows->nr; i++)
		rows->rows[i].order = kma_metrics[metric].get(rows->rows[i].values);
	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_row);
}

void kma_rows_gather(struct kma_rows *rows, size_t keep, const char *key)
{
	struct kma_values *other = new_sum(rows);

	for (size_t i = keep; i < rows->nr; i++)
		kma_values_add(other, rows->rows[i].values);
	rows->rows[keep] = (struct kma_row){
		.key = kma_arena_text(&rows->arena, key, strlen(key)),
		.values = other,
	};
	rows->nr = keep + 1;
}

void kma_rows_top(struct kma_rows *rows, size_t top)
{
	char key[48];

	/* A row "other (1 rows)" would have less information than the row that it replaces. */
	if (!top || rows->nr <= top + 1)
		return;
	snprintf(key, sizeof(key), "other (%zu rows)", rows->nr - top);
	kma_rows_gather(rows, top, key);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - list a tree.
 *
 * Rows by caller, file or directory come from one walk over the tree; their texts and numbers
 * belong to the nodes where possible, so a million callers cost one struct kma_row each. For any
 * other key each leaf makes a row, the rows are sorted by key, and equal neighbours are added up; so
 * are rows by caller if two have the same caller, which few inputs have.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "lib/twins.h"
#include "model/container.h"
#include "model/groups.h"
#include "model/site.h"
#include "rows.h"

const char *const kma_by_names[KMA_NR_BY] = {
	[KMA_BY_CALLER] = "caller",
	[KMA_BY_FILE] = "file",
	[KMA_BY_DIR] = "dir",
	[KMA_BY_LINE] = "line",
	[KMA_BY_FUNCTION] = "function",
	[KMA_BY_MODULE] = "module",
	[KMA_BY_SUBSYSTEM] = "subsystem",
	[KMA_BY_STACK] = "stack",
	[KMA_BY_CACHE] = "cache",
	[KMA_BY_CACHE_CALLER] = "cache,caller",
	[KMA_BY_CGROUP] = "cgroup",
	[KMA_BY_CGROUP_CALLER] = "cgroup,caller",
	[KMA_BY_CGROUP_DIR] = "cgroup,dir",
	[KMA_BY_NODE] = "node",
	[KMA_BY_NODE_CALLER] = "node,caller",
	[KMA_BY_NODE_DIR] = "node,dir",
	[KMA_BY_TASK] = "task",
	[KMA_BY_TASK_CALLER] = "task,caller",
	[KMA_BY_TASK_DIR] = "task,dir",
	[KMA_BY_ROOT] = "root",
	[KMA_BY_ROOT_CALLER] = "root,caller",
	[KMA_BY_ROOT_DIR] = "root,dir",
};

const char *const kma_by_titles[KMA_NR_BY] = {
	[KMA_BY_CALLER] = "caller",	  [KMA_BY_FILE] = "file",
	[KMA_BY_DIR] = "directory",	  [KMA_BY_LINE] = "line",
	[KMA_BY_FUNCTION] = "function",	  [KMA_BY_MODULE] = "module",
	[KMA_BY_SUBSYSTEM] = "subsystem", [KMA_BY_STACK] = "stack",
	[KMA_BY_CACHE] = "cache",	  [KMA_BY_CACHE_CALLER] = "cache",
	[KMA_BY_CGROUP] = "cgroup",	  [KMA_BY_CGROUP_CALLER] = "cgroup",
	[KMA_BY_CGROUP_DIR] = "cgroup",	  [KMA_BY_NODE] = "node",
	[KMA_BY_NODE_CALLER] = "node",	  [KMA_BY_NODE_DIR] = "node",
	[KMA_BY_TASK] = "task",		  [KMA_BY_TASK_CALLER] = "task",
	[KMA_BY_TASK_DIR] = "task",	  [KMA_BY_ROOT] = "root",
	[KMA_BY_ROOT_CALLER] = "root",	  [KMA_BY_ROOT_DIR] = "root",
};

const enum kma_grouped kma_by_grouped[KMA_NR_BY] = {
	[KMA_BY_CGROUP] = KMA_GROUPED_CGROUP,	  [KMA_BY_CGROUP_CALLER] = KMA_GROUPED_CGROUP,
	[KMA_BY_CGROUP_DIR] = KMA_GROUPED_CGROUP, [KMA_BY_NODE] = KMA_GROUPED_NODE,
	[KMA_BY_NODE_CALLER] = KMA_GROUPED_NODE,  [KMA_BY_NODE_DIR] = KMA_GROUPED_NODE,
	[KMA_BY_TASK] = KMA_GROUPED_TASK,	  [KMA_BY_TASK_CALLER] = KMA_GROUPED_TASK,
	[KMA_BY_TASK_DIR] = KMA_GROUPED_TASK,	  [KMA_BY_ROOT] = KMA_GROUPED_ROOT,
	[KMA_BY_ROOT_CALLER] = KMA_GROUPED_ROOT,  [KMA_BY_ROOT_DIR] = KMA_GROUPED_ROOT,
};

enum kma_by kma_by_without_files(enum kma_by by)
{
	if (!(KMA_BY_NEEDS_FILES >> by & 1))
		return by;
	return by == KMA_BY_CGROUP_DIR ? KMA_BY_CGROUP_CALLER :
	       by == KMA_BY_NODE_DIR   ? KMA_BY_NODE_CALLER :
	       by == KMA_BY_TASK_DIR   ? KMA_BY_TASK_CALLER :
	       by == KMA_BY_ROOT_DIR   ? KMA_BY_ROOT_CALLER :
					 KMA_BY_CALLER;
}

static struct kma_err *kma_rows_add(struct kma_rows *rows, const char *key,
				    const struct kma_values *values)
{
	if (!key)
		return &kma_enomem;
	kma_array_room(rows->rows, rows->nr, rows->alloc);
	rows->rows[rows->nr++] = (struct kma_row){ .key = key, .values = values };
	kma_values_add(&rows->total, values);
	return NULL;
}

/* Sets the kind of the row that was added last, by caller, from its leaf. */
static void kma_rows_set_kind(struct kma_rows *rows, const struct kma_node *leaf)
{
	/* Static sizes have no call sites. Callers that are compared are not divided by kind. */
	if (!leaf->site || leaf->sides)
		return;
	rows->sites = true;
	rows->rows[rows->nr - 1].kind = leaf->site->kind;
	rows->kinds |= leaf->site->kind != KMA_KIND_UNKNOWN;
}

/* Memory for a sum that belongs to no node; NULL if memory is out. */
static struct kma_values *kma_rows_sum(struct kma_rows *rows)
{
	return kma_arena_zalloc(&rows->arena, sizeof(struct kma_values));
}

/* Copies a text from malloc() into the arena and frees it; NULL if memory is out. */
static const char *kma_rows_keep(struct kma_rows *rows, char *text)
{
	const char *kept = text ? kma_arena_text(&rows->arena, text, strlen(text)) : NULL;

	free(text);
	return kept;
}

/* Adds a row with the sum of the files of a directory, without its subdirectories. */
static struct kma_err *kma_rows_add_own(struct kma_rows *rows, const struct kma_node *dir)
{
	struct kma_values *own = NULL;

	for (size_t i = 0; i < dir->nr_children; i++) {
		if (dir->children[i]->kind != KMA_NODE_FILE)
			continue;
		own = own ?: kma_rows_sum(rows);
		if (!own)
			return &kma_enomem;
		kma_values_add(own, dir->children[i]->values);
	}
	if (!own)
		return NULL;
	return kma_rows_add(rows, dir->parent ? kma_rows_keep(rows, kma_node_path(dir)) : ".", own);
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
	if (leaf) {
		err = kma_rows_add(rows,
				   node->kind == KMA_NODE_CALLER ?
					   node->name :
					   kma_rows_keep(rows, kma_node_path(node)),
				   node->values);
		if (!err && by == KMA_BY_CALLER)
			kma_rows_set_kind(rows, node);
		return err;
	}
	if (by == KMA_BY_DIR)
		err = kma_rows_add_own(rows, node);
	for (size_t i = 0; i < node->nr_children && !err; i++)
		if (by != KMA_BY_DIR || node->children[i]->kind != KMA_NODE_FILE)
			err = kma_rows_walk(rows, node->children[i], by, depth);
	return err;
}

/* The file or the bracketed row above a leaf; NULL: the input has no files. */
static const struct kma_node *kma_node_holder(const struct kma_node *leaf)
{
	return leaf->parent && leaf->parent->parent ? leaf->parent : NULL;
}

static const char *kma_key_line(struct kma_rows *rows, const struct kma_node *leaf,
				const struct kma_node *holder)
{
	const struct kma_place *place = kma_node_place(leaf);

	(void)rows;
	(void)holder;
	return place && place->lines ? place->lines : "[no line]";
}

/* Key by function. Static functions share names, so the key has the file. */
static const char *kma_key_function(struct kma_rows *rows, const struct kma_node *leaf,
				    const struct kma_node *holder)
{
	_cleanup_free_ char *path = NULL;
	const char *function;
	char *key;
	size_t len;

	function = kma_node_function(leaf, &len);
	if (!function)
		return leaf->kind == KMA_NODE_SECTION ? "[no function]" : leaf->name;
	if (!holder || holder->kind != KMA_NODE_FILE)
		return kma_arena_text(&rows->arena, function, len);
	path = kma_node_path(holder);
	if (!path || len > INT_MAX || asprintf(&key, "%.*s (%s)", (int)len, function, path) < 0)
		return NULL;
	return kma_rows_keep(rows, key);
}

static bool kma_node_has_function(const struct kma_node *node)
{
	size_t len;

	return kma_node_function(node, &len);
}

static const char *kma_key_module(struct kma_rows *rows, const struct kma_node *leaf,
				  const struct kma_node *holder)
{
	(void)rows;
	/* An address without a name may belong to any module. */
	if (leaf->kind == KMA_NODE_CALLER && !kma_node_has_function(leaf) && !leaf->module &&
	    !(holder && holder->kind == KMA_NODE_FILE))
		return "[unknown address]";
	return leaf->module ?: "vmlinux";
}

static const char *kma_key_subsystem(struct kma_rows *rows, const struct kma_node *leaf,
				     const struct kma_node *holder)
{
	(void)rows;
	(void)leaf;
	return holder && holder->owner ? holder->owner : "[no maintainer]";
}

static const char *kma_key_stack(struct kma_rows *rows, const struct kma_node *leaf,
				 const struct kma_node *holder)
{
	(void)rows;
	(void)holder;
	return leaf->site && leaf->site->stack ? leaf->site->stack : leaf->name;
}

static const char *kma_key_cache(struct kma_rows *rows, const struct kma_node *leaf,
				 const struct kma_node *holder)
{
	char *key;

	(void)holder;
	if (strcmp(leaf->name, KMA_SITE_BEFORE))
		return kma_node_cache(leaf) ?: "[no cache]";
	if (asprintf(&key, "%s " KMA_SITE_BEFORE, kma_node_cache(leaf) ?: "[no cache]") < 0)
		return NULL;
	return kma_rows_keep(rows, key);
}

/* A key of two parts: HEAD, a separator, and the caller. */
static const char *kma_key_with_caller(struct kma_rows *rows, const char *head,
				       const struct kma_node *leaf)
{
	char *key;

	if (asprintf(&key, "%s%c%s", head, KMA_ROW_SPLIT, leaf->name) < 0)
		return NULL;
	return kma_rows_keep(rows, key);
}

static const char *kma_key_cache_caller(struct kma_rows *rows, const struct kma_node *leaf,
					const struct kma_node *holder)
{
	(void)holder;
	return kma_key_with_caller(rows, kma_node_cache(leaf) ?: "[no cache]", leaf);
}

/* Length of the first @depth components of a path; 0: of the whole path. */
static size_t kma_key_cut(const char *path, unsigned int depth)
{
	size_t len = 0;

	if (!depth)
		return strlen(path);
	while (path[len] && depth--) {
		len += strspn(path + len, "/");
		len += strcspn(path + len, "/");
	}
	return len;
}

static const char *kma_key_group(struct kma_rows *rows, const struct kma_node *leaf,
				 const struct kma_node *holder)
{
	const char *group = leaf->site ? leaf->site->group : NULL;

	(void)holder;
	if (!group)
		return KMA_GROUP_NONE;
	return kma_arena_text(&rows->arena, group, kma_key_cut(group, rows->depth));
}

static const char *group_of(const struct kma_node *leaf)
{
	return leaf->site && leaf->site->group ? leaf->site->group : KMA_GROUP_NONE;
}

static const char *kma_key_group_caller(struct kma_rows *rows, const struct kma_node *leaf,
					const struct kma_node *holder)
{
	(void)holder;
	return kma_key_with_caller(rows, group_of(leaf), leaf);
}

static const char *kma_key_group_dir(struct kma_rows *rows, const struct kma_node *leaf,
				     const struct kma_node *holder)
{
	const struct kma_node *dir = holder && holder->kind == KMA_NODE_FILE ? holder->parent :
									       NULL;
	_cleanup_free_ char *path = NULL;
	char *key;

	if (dir && dir->parent)
		path = kma_node_path(dir);
	else
		path = strdup(dir ? "." : holder ? holder->name : leaf->name);
	if (!path || asprintf(&key, "%s%c%.*s", group_of(leaf), KMA_ROW_SPLIT,
			      (int)kma_key_cut(path, rows->depth), path) < 0)
		return NULL;
	return kma_rows_keep(rows, key);
}

/* How the key of a leaf is made, for keys that are not a level of the tree. */
static const struct {
	const char *(*key)(struct kma_rows *rows, const struct kma_node *leaf,
			   const struct kma_node *holder);
	bool named;	/* leaves of bracketed rows have a key, too */
	bool all_named; /* also leaves that belong to no module and no function */
} kma_keys[KMA_NR_BY] = {
	[KMA_BY_LINE] = { kma_key_line, false, false },
	[KMA_BY_FUNCTION] = { kma_key_function, true, false },
	[KMA_BY_MODULE] = { kma_key_module, true, false },
	[KMA_BY_SUBSYSTEM] = { kma_key_subsystem, false, false },
	[KMA_BY_STACK] = { kma_key_stack, true, true },
	[KMA_BY_CACHE] = { kma_key_cache, true, true },
	[KMA_BY_CACHE_CALLER] = { kma_key_cache_caller, true, true },
	[KMA_BY_CGROUP] = { kma_key_group, true, true },
	[KMA_BY_CGROUP_CALLER] = { kma_key_group_caller, true, true },
	[KMA_BY_CGROUP_DIR] = { kma_key_group_dir, true, true },
	[KMA_BY_NODE] = { kma_key_group, true, true },
	[KMA_BY_NODE_CALLER] = { kma_key_group_caller, true, true },
	[KMA_BY_NODE_DIR] = { kma_key_group_dir, true, true },
	[KMA_BY_TASK] = { kma_key_group, true, true },
	[KMA_BY_TASK_CALLER] = { kma_key_group_caller, true, true },
	[KMA_BY_TASK_DIR] = { kma_key_group_dir, true, true },
	[KMA_BY_ROOT] = { kma_key_group, true, true },
	[KMA_BY_ROOT_CALLER] = { kma_key_group_caller, true, true },
	[KMA_BY_ROOT_DIR] = { kma_key_group_dir, true, true },
};

const char *kma_rows_key(struct kma_rows *rows, const struct kma_node *leaf, enum kma_by by)
{
	const struct kma_node *holder = kma_node_holder(leaf);
	bool named = holder && holder->kind == KMA_NODE_NAMED && !kma_keys[by].all_named &&
		     (!kma_keys[by].named || (!leaf->module && !kma_node_has_function(leaf)));

	return named ? holder->name : kma_keys[by].key(rows, leaf, holder);
}

static struct kma_err *kma_rows_leaves(struct kma_rows *rows, const struct kma_node *node,
				       enum kma_by by)
{
	struct kma_err *err = NULL;

	if (kma_node_is_leaf(node)) {
		err = kma_rows_add(rows, kma_rows_key(rows, node, by), node->values);
		if (!err && by == KMA_BY_CACHE && node->site && !node->site->caches)
			rows->rows[rows->nr - 1].aliases = node->site->aliases;
		return err;
	}
	if (err)
		return err;
	for (size_t i = 0; i < node->nr_children; i++) {
		err = kma_rows_leaves(rows, node->children[i], by);
		if (err)
			return err;
	}
	return NULL;
}

static int kma_cmp_key(const void *a, const void *b)
{
	const struct kma_row *x = a, *y = b;

	return strcmp(x->key, y->key) ?: (int)x->kind - (int)y->kind;
}

/* Sorts the rows by key and kind, and adds up those with both equal. */
static struct kma_err *kma_rows_merge(struct kma_rows *rows)
{
	size_t kept = 0, next;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), kma_cmp_key);
	for (size_t i = 0; i < rows->nr; i = next) {
		struct kma_row row = rows->rows[i];
		struct kma_values *sum = NULL;

		for (next = i + 1; next < rows->nr; next++) {
			if (kma_cmp_key(&row, &rows->rows[next]))
				break;
			if (!sum) {
				sum = kma_rows_sum(rows);
				if (!sum)
					return &kma_enomem;
				*sum = *row.values;
				row.values = sum;
			}
			kma_values_add(sum, rows->rows[next].values);
		}
		rows->rows[kept++] = row;
	}
	rows->nr = kept;
	return NULL;
}

/* Writes a stack for people: "alloc_inode+0x4f < new_inode". Only the call site has its offset. */
static void kma_label_stack(const struct kma_row *row, struct kma_strbuf *label)
{
	const char *end;

	for (const char *frame = row->key; *frame; frame = *end ? end + 1 : end) {
		size_t len = strcspn(frame, label->len ? "+;" : "/;");

		end = frame + strcspn(frame, ";");
		if (label->len)
			kma_strbuf_puts(label, *frame == '[' ? " " : " < ");
		kma_strbuf_add(label, frame, len);
	}
}

/* Writes a merged cache for people: "pid (also eventpoll_epi)". */
static void kma_label_cache(const struct kma_row *row, struct kma_strbuf *label)
{
	if (row->aliases)
		kma_strbuf_printf(label, "%s (also %s)", row->key, row->aliases);
}

/* Sets the label of a row. An empty label is none. */
static struct kma_err *kma_rows_set_label(struct kma_rows *rows, struct kma_row *row,
					  const struct kma_strbuf *label)
{
	if (!label->len)
		return NULL;
	row->label = kma_arena_text(&rows->arena, label->str, label->len);
	return row->label ? NULL : &kma_enomem;
}

/* Sets the label of a row whose caller has other rows: "alloc_inode+0x4f/0x90 (page)". */
static struct kma_err *kma_rows_label_kind(struct kma_rows *rows, struct kma_row *row)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };

	kma_strbuf_printf(&label, "%s%s", row->key, kma_kind_remarks[row->kind]);
	return kma_rows_set_label(rows, row, &label);
}

static struct kma_err *kma_rows_label(struct kma_rows *rows, struct kma_row *row, enum kma_by by)
{
	_cleanup_strbuf_ struct kma_strbuf label = { 0 };

	if (by == KMA_BY_STACK)
		kma_label_stack(row, &label);
	else if (by == KMA_BY_CACHE)
		kma_label_cache(row, &label);
	else if (by == KMA_BY_CGROUP)
		kma_container_label(row->key, &label);
	else if (strchr(kma_by_names[by], ','))
		kma_strbuf_add(&label, row->key, strcspn(row->key, (char[]){ KMA_ROW_SPLIT, 0 }));
	return kma_rows_set_label(rows, row, &label);
}

static const char *kma_rows_text(const void *arg, size_t i)
{
	const struct kma_rows *rows = arg;

	return rows->rows[i].key;
}

/* Adds up the rows of one caller and kind, and labels rows of one caller and several kinds. */
static struct kma_err *kma_rows_tell_apart(struct kma_rows *rows)
{
	_cleanup_free_ bool *twins = NULL;
	struct kma_err *err;

	if (rows->sites)
		twins = kma_twins_find(rows->nr, kma_rows_text, rows);
	if (!twins)
		return NULL;
	err = kma_rows_merge(rows);
	if (err)
		return err;
	for (size_t i = 1; i < rows->nr; i++) {
		if (strcmp(rows->rows[i - 1].key, rows->rows[i].key))
			continue;
		err = kma_rows_label_kind(rows, &rows->rows[i - 1]) ?:
			      kma_rows_label_kind(rows, &rows->rows[i]);
		if (err)
			return err;
	}
	return NULL;
}

struct kma_err *kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, enum kma_by by,
			      unsigned int depth)
{
	struct kma_err *err;

	memset(rows, 0, sizeof(*rows));
	kma_arena_init(&rows->arena);
	rows->depth = depth;
	if (!kma_keys[by].key)
		return kma_rows_walk(rows, branch, by, depth) ?: kma_rows_tell_apart(rows);
	err = kma_rows_leaves(rows, branch, by);
	if (err)
		return err;
	err = kma_rows_merge(rows);
	if (err)
		return err;
	for (size_t i = 0; i < rows->nr; i++) {
		err = kma_rows_label(rows, &rows->rows[i], by);
		if (err)
			return err;
	}
	return NULL;
}

void kma_rows_deinit(struct kma_rows *rows)
{
	kma_arena_deinit(&rows->arena);
	free(rows->rows);
	memset(rows, 0, sizeof(*rows));
}

static int kma_cmp_row(const void *a, const void *b)
{
	const struct kma_row *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? 1 : -1;
	return kma_cmp_key(x, y);
}

void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric)
{
	for (size_t i = 0; i < rows->nr; i++)
		rows->rows[i].order = kma_metrics[metric].get(rows->rows[i].values);
	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), kma_cmp_row);
}

struct kma_err *kma_rows_gather(struct kma_rows *rows, size_t keep, const char *key)
{
	const char *kept = kma_arena_text(&rows->arena, key, strlen(key));
	struct kma_values *other = kma_rows_sum(rows);

	if (!kept || !other)
		return &kma_enomem;
	for (size_t i = keep; i < rows->nr; i++)
		kma_values_add(other, rows->rows[i].values);
	rows->rows[keep] = (struct kma_row){ .key = kept, .values = other };
	rows->nr = keep + 1;
	return NULL;
}

struct kma_err *kma_rows_top(struct kma_rows *rows, size_t top)
{
	char key[48];

	/* A row "other (1 rows)" would have less information than the row that it replaces. */
	if (!top || rows->nr <= top + 1)
		return NULL;
	snprintf(key, sizeof(key), "other (%zu rows)", rows->nr - top);
	return kma_rows_gather(rows, top, key);
}

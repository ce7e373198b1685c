/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - list a tree: one row for each caller, file, directory, line, function, module,
 * subsystem, cache, stack, cgroup, NUMA node, task or root.
 *
 * A caller that allocates in several ways, as by kmalloc() and from a cache, has a row for each kind.
 * No two rows have the same key and kind; so call sites that only their files distinguish, and
 * neither text nor kind, are one row.
 *
 * Callers, files and directories are levels of the tree. Other keys are taken from the leaves:
 * kma_rows_key() returns the key of a leaf, and equal keys are added up. The rows always add up to
 * the total of their branch: bytes without a line, for example, are in the row in brackets that
 * they have by file, or in "[no line]".
 */
#ifndef KMA_VIEW_TEXT_ROWS_H
#define KMA_VIEW_TEXT_ROWS_H

#include "lib/arena.h"
#include "model/site.h"
#include "tree/node.h"

enum kma_by {
	KMA_BY_CALLER,
	KMA_BY_FILE,
	KMA_BY_DIR,
	KMA_BY_LINE,
	KMA_BY_FUNCTION,
	KMA_BY_MODULE,
	KMA_BY_SUBSYSTEM,
	KMA_BY_STACK,
	KMA_BY_CACHE,
	KMA_BY_CACHE_CALLER,
	KMA_BY_CGROUP,
	KMA_BY_CGROUP_CALLER,
	KMA_BY_CGROUP_DIR,
	KMA_BY_NODE,
	KMA_BY_NODE_CALLER,
	KMA_BY_NODE_DIR,
	KMA_BY_TASK,
	KMA_BY_TASK_CALLER,
	KMA_BY_TASK_DIR,
	KMA_BY_ROOT,
	KMA_BY_ROOT_CALLER,
	KMA_BY_ROOT_DIR,
	KMA_NR_BY,
};

/* The keys that need a source of files, as a set of 1 << enum kma_by. */
#define KMA_BY_NEEDS_FILES                                                                   \
	(1U << KMA_BY_FILE | 1U << KMA_BY_DIR | 1U << KMA_BY_LINE | 1U << KMA_BY_SUBSYSTEM | \
	 1U << KMA_BY_CGROUP_DIR | 1U << KMA_BY_NODE_DIR | 1U << KMA_BY_TASK_DIR |           \
	 1U << KMA_BY_ROOT_DIR)

/* The keys that need an input with slab caches. */
#define KMA_BY_NEEDS_CACHES (1U << KMA_BY_CACHE | 1U << KMA_BY_CACHE_CALLER)

/* The keys that a history does not have, and those that an event log does not have. */
#define KMA_BY_NOT_IN_HISTORY                                                 \
	(1U << KMA_BY_STACK | 1U << KMA_BY_CACHE_CALLER | 1U << KMA_BY_ROOT | \
	 1U << KMA_BY_ROOT_CALLER | 1U << KMA_BY_ROOT_DIR)
#define KMA_BY_NOT_IN_LOG                                                       \
	(KMA_BY_NOT_IN_HISTORY | 1U << KMA_BY_NODE | 1U << KMA_BY_NODE_CALLER | \
	 1U << KMA_BY_NODE_DIR)

/* The keys that are, or end in, a path that --depth shortens. */
#define KMA_BY_HAS_DEPTH                                                    \
	(1U << KMA_BY_DIR | 1U << KMA_BY_CGROUP | 1U << KMA_BY_CGROUP_DIR | \
	 1U << KMA_BY_NODE_DIR | 1U << KMA_BY_TASK_DIR | 1U << KMA_BY_ROOT_DIR)

/* The groups of each key; KMA_GROUPED_NOT for most keys. */
extern const enum kma_grouped kma_by_grouped[KMA_NR_BY];

/* Separates the two parts of a key whose name has two parts, such as "cache,caller". */
#define KMA_ROW_SPLIT '\t'

/* Names of the key column, which csv and json use, and headings of the table. */
extern const char *const kma_by_names[KMA_NR_BY];
extern const char *const kma_by_titles[KMA_NR_BY];

/* The texts and numbers of a row with only one node belong to the node. */
struct kma_row {
	const char *key;     /* caller, or path of the file or directory */
	const char *label;   /* @key for people, or its first part; NULL: @key itself */
	enum kma_kind kind;  /* of a row by caller of an account; else KMA_KIND_UNKNOWN */
	const char *aliases; /* other names of a cache, or NULL */
	const struct kma_values *values; /* its numbers */
	uint64_t order;			 /* the number by which the rows are sorted */
};

struct kma_rows {
	struct kma_row *rows;	 /* in the order to show */
	size_t nr;		 /* number of rows */
	size_t alloc;		 /* allocated rows */
	struct kma_values total; /* sum of all rows */
	unsigned int depth;	 /* from kma_rows_init() */
	bool sites;		 /* a row by caller is a call site of an account */
	bool kinds;		 /* a row has a known kind */
	struct kma_arena arena;	 /* texts and numbers that belong to no node */
};

/**
 * kma_rows_init() - list a branch
 * @rows: owned by the caller
 * @branch: the top node; its tree must outlive @rows
 * @by: the key of the rows; the row of a directory has only the directory's own files
 * @depth: number of components of a directory's path, or of a cgroup's path if the key has no
 *	directory; deeper rows are combined; 0: no limit
 *
 * Return: NULL or an error; in both cases @rows has to be deinitialised.
 */
struct kma_err *kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, enum kma_by by,
			      unsigned int depth);

/**
 * kma_rows_key() - get the key of a leaf
 * @rows: owns new texts: zeroed, with its arena initialised
 * @leaf: a caller or a section
 * @by: a key that is not a level of the tree, such as module or cache
 *
 * Return: the key, which belongs to @rows or to the tree; NULL if out of memory.
 */
const char *kma_rows_key(struct kma_rows *rows, const struct kma_node *leaf, enum kma_by by);

/**
 * kma_by_without_files() - get the key to use if no files are known
 * @by: the requested key
 *
 * Return: @by, with callers instead of files and directories.
 */
enum kma_by kma_by_without_files(enum kma_by by);

/* Free the list. */
void kma_rows_deinit(struct kma_rows *rows);

/* A cache miss takes as long as some rows to write. */
#define KMA_ROWS_AHEAD 32

/**
 * kma_rows_prefetch() - fetch a row into the cache that is read soon
 * @rows: the list; the data of sorted rows are scattered in memory
 * @i: the row that is being read; a row some positions ahead is fetched
 */
static inline void kma_rows_prefetch(const struct kma_rows *rows, size_t i)
{
	const struct kma_row *row = &rows->rows[i + KMA_ROWS_AHEAD];

	if (i + KMA_ROWS_AHEAD >= rows->nr)
		return;
	__builtin_prefetch(row->key);
	/* Most inputs have the first five. */
	__builtin_prefetch(&row->values->current);
	__builtin_prefetch(&row->values->frees);
}

/**
 * kma_rows_sort() - sort the rows, largest first
 * @rows: the list
 * @metric: to sort by; rows with equal values are sorted by key and kind
 */
void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric);

/**
 * kma_rows_top() - combine all but the first rows into one, "other (N rows)"
 * @rows: sorted
 * @top: number of rows to keep; 0: all
 */
struct kma_err *kma_rows_top(struct kma_rows *rows, size_t top);

/**
 * kma_rows_gather() - combine all but the first rows into one
 * @rows: sorted
 * @keep: number of rows to keep, less than the number of rows
 * @key: name of the combined row; copied
 */
struct kma_err *kma_rows_gather(struct kma_rows *rows, size_t keep, const char *key);

#endif /* KMA_VIEW_TEXT_ROWS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - a tree as a list: one row for each caller, file, directory, line, function,
 * module, subsystem, cache, stack, cgroup, NUMA node or task. The rows always add up to the total of the branch that they were
 * made from: what has no line, for instance, has the name in brackets of the row that it
 * would have by file, or "[no line]".
 */
#ifndef KMA_VIEW_TEXT_ROWS_H
#define KMA_VIEW_TEXT_ROWS_H

#include "lib/arena.h"
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
	KMA_NR_BY,
};

/* Those that only a source of files can tell, as a set of 1 << enum kma_by. */
#define KMA_BY_NEEDS_FILES                                                                   \
	(1U << KMA_BY_FILE | 1U << KMA_BY_DIR | 1U << KMA_BY_LINE | 1U << KMA_BY_SUBSYSTEM | \
	 1U << KMA_BY_CGROUP_DIR | 1U << KMA_BY_NODE_DIR | 1U << KMA_BY_TASK_DIR)

/* Those that need an input that knows slab caches. */
#define KMA_BY_NEEDS_CACHES (1U << KMA_BY_CACHE | 1U << KMA_BY_CACHE_CALLER)

/* Those whose keys are, or end in, a path that --depth cuts. */
#define KMA_BY_HAS_DEPTH                                                    \
	(1U << KMA_BY_DIR | 1U << KMA_BY_CGROUP | 1U << KMA_BY_CGROUP_DIR | \
	 1U << KMA_BY_NODE_DIR | 1U << KMA_BY_TASK_DIR)

/* The groups that rows are by, KMA_GROUPED_NOT of most keys. */
extern const enum kma_grouped kma_by_grouped[KMA_NR_BY];

/* Between the two parts of a key whose name has two parts, as "cache,caller". */
#define KMA_ROW_SPLIT '\t'

/* Names of the key column, also in csv and json; and headings of the table. */
extern const char *const kma_by_names[KMA_NR_BY];
extern const char *const kma_by_titles[KMA_NR_BY];

/* A row of one node has its texts and numbers from there. */
struct kma_row {
	const char *key;		 /* caller, or path of the file or directory */
	const char *label;		 /* the same for people, NULL: @key */
	const char *aliases;		 /* of a cache: its other names, or NULL */
	const struct kma_values *values; /* its numbers */
	uint64_t order;			 /* the number by which the rows are sorted */
};

struct kma_rows {
	struct kma_row *rows;	 /* in the order to show */
	size_t nr;		 /* how many */
	size_t alloc;		 /* room in @rows */
	struct kma_values total; /* of all rows */
	unsigned int depth;	 /* as kma_rows_init() was asked for */
	struct kma_arena arena;	 /* texts and numbers that no node has */
};

/**
 * kma_rows_init() - list a branch
 * @rows: owned by the caller
 * @branch: node to begin at; its tree has to live as long as @rows
 * @by: what a row is; a directory has what its own files hold
 * @depth: roll up what lies deeper than this many components of a directory, or of the path of
 *	a cgroup if there are no directories in the key; 0 does not
 *
 * Return: NULL or an error; in both cases @rows has to be deinitialised.
 */
struct kma_err *kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, enum kma_by by,
			      unsigned int depth);

/**
 * kma_by_without_files() - what rows are by where no files are known
 * @by: as asked for
 *
 * Return: @by, or the same with callers in place of files and directories.
 */
enum kma_by kma_by_without_files(enum kma_by by);

/**
 * kma_rows_deinit() - free the list
 * @rows: as initialised
 */
void kma_rows_deinit(struct kma_rows *rows);

/* A cache miss takes as long as some rows to write. */
#define KMA_ROWS_AHEAD 32

/**
 * kma_rows_prefetch() - say that a row will be wanted soon
 * @rows: the list; what sorted rows point to lies about in memory
 * @i: the row that is being read; that some rows ahead is fetched
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
 * kma_rows_sort() - largest first
 * @rows: the list
 * @metric: by which number; equal ones stand by key
 */
void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric);

/**
 * kma_rows_top() - gather all but the first rows in one, "other (N rows)"
 * @rows: sorted
 * @top: how many to keep; 0 keeps all
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_rows_top(struct kma_rows *rows, size_t top);

/**
 * kma_rows_gather() - gather all but the first rows in one
 * @rows: sorted
 * @keep: how many stay; at least one row follows these
 * @key: name of the row of the others; copied
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_rows_gather(struct kma_rows *rows, size_t keep, const char *key);

#endif /* KMA_VIEW_TEXT_ROWS_H */

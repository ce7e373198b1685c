/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - list a tree: one row for each text of its keys (tree/key.h).
 *
 * A caller that allocates in several ways, as by kmalloc() and from a cache, has a row for each
 * kind. No two rows have the same key and kind; so call sites that only their files distinguish,
 * and neither text nor kind, are one row.
 *
 * The rows always add up to the total of their branch: bytes without a line, for example, are in
 * the row in brackets that they have by file, or in "[no line]".
 */
#ifndef KMA_VIEW_TEXT_ROWS_H
#define KMA_VIEW_TEXT_ROWS_H

#include "lib/arena.h"
#include "model/site.h"
#include "tree/key.h"
#include "tree/node.h"

/* The texts and numbers of a row with only one node belong to the node. */
struct kma_row {
	const char *key;     /* text of kma_keys_text() */
	const char *label;   /* @key for people; NULL: @key itself, or its parts */
	enum kma_kind kind;  /* of a row by caller of an account; else KMA_KIND_UNKNOWN */
	const char *aliases; /* other names of a cache, or NULL */
	uint32_t type_size;  /* sizeof() the type of its objects; 0: unknown, several, or arrays */
	const struct kma_values *values; /* its numbers */
	uint64_t order;			 /* the number by which the rows are sorted */
};

struct kma_rows {
	struct kma_row *rows; /* in the order to show */
	size_t nr;
	size_t alloc;
	struct kma_values total; /* sum of all rows */
	bool sites;		 /* a row by caller is a call site of an account */
	bool kinds;		 /* a row has a known kind */
	struct kma_arena arena;	 /* texts and numbers that belong to no node */
};

/*
 * Lists a branch, whose tree must outlive @rows. With key dir, the row of a directory has only the
 * directory's own files. @depth: see struct kma_key_ask; deeper rows are combined.
 */
void kma_rows_init(struct kma_rows *rows, const struct kma_node *branch, const struct kma_keys *by,
		   unsigned int depth);

void kma_rows_deinit(struct kma_rows *rows);

/* A cache miss takes as long as some rows to write. */
#define KMA_ROWS_AHEAD 32

/*
 * While row @i is read, fetches a row some positions ahead into the cache: the data of sorted rows
 * are scattered in memory.
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

/* Largest first; rows with equal values are sorted by key and kind. */
void kma_rows_sort(struct kma_rows *rows, enum kma_metric_id metric);

/* Combines all but the first @top of sorted rows into one, "other (N rows)". 0: none. */
void kma_rows_top(struct kma_rows *rows, size_t top);

/* The same with @keep rows and a name for the row. */
void kma_rows_gather(struct kma_rows *rows, size_t keep, const char *key);

#endif /* KMA_VIEW_TEXT_ROWS_H */

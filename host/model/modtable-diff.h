/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable-diff.h - what changed between two tables of one kind. A row is known by its name: the call
 * site, the cache, the key. Of several rows of one name, the first belongs to the first, the second
 * to the second, and so on: numbers of sites are those of one load of the module, and are no names.
 */
#ifndef KMA_MODEL_MODTABLE_DIFF_H
#define KMA_MODEL_MODTABLE_DIFF_H

#include "modtable.h"

#define KMA_MODTABLE_KEYS 3
#define KMA_MODTABLE_NONE ((size_t)-1)

/* A row of either table, or of both. */
struct kma_modtable_pair {
	size_t before, after; /* numbers of rows; KMA_MODTABLE_NONE: it is not there */
};

struct kma_modtable_diff {
	const struct kma_modtable *before, *after; /* the caller's */
	int keys[KMA_MODTABLE_KEYS];		   /* columns of @after; -1: no more */
	int old[KMA_MODTABLE_COLUMNS];		   /* column of @before of each of @after, or -1 */
	struct kma_modtable_pair *pairs;	   /* those that differ, largest change first */
	size_t nr;
	size_t same; /* rows without a change */
};

/**
 * kma_modtable_diff() - compare
 * @before: a table
 * @after: a table
 * @ret: filled in; to be given to kma_modtable_diff_deinit() in any case
 *
 * Return: NULL or an error: the tables are of two kinds, or of one whose rows have no names.
 */
struct kma_err *kma_modtable_diff(const struct kma_modtable *before,
				  const struct kma_modtable *after, struct kma_modtable_diff *ret);

/**
 * kma_modtable_diff_deinit() - free the pairs
 * @diff: as filled in
 */
void kma_modtable_diff_deinit(struct kma_modtable_diff *diff);

/**
 * kma_modtable_diff_change() - by how much a number changed
 * @diff: of kma_modtable_diff()
 * @pair: one of its pairs
 * @column: of the table after
 * @ret: after less before; a row that is not there, and a number that is not known, is 0
 *
 * Return: false if neither table knows the number.
 */
bool kma_modtable_diff_change(const struct kma_modtable_diff *diff,
			      const struct kma_modtable_pair *pair, size_t column, int64_t *ret);

#endif /* KMA_MODEL_MODTABLE_DIFF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable-diff.h - the rows that differ between two tables of the module of the same kind.
 *
 * A row is identified by the texts of up to three columns, such as the call site, the cache or the
 * key. If several rows have the same texts, the first one before is compared with the first one
 * after, and so on: the numbers of sites change when the module is loaded again, so they do not
 * identify rows. Tables whose rows are identified only by addresses (live) cannot be compared,
 * because the kernel reuses addresses.
 */
#ifndef KMA_MODEL_MODTABLE_DIFF_H
#define KMA_MODEL_MODTABLE_DIFF_H

#include "modtable.h"

#define KMA_MODTABLE_KEYS 3
#define KMA_MODTABLE_NONE ((size_t)-1)

/* A row of one table, or the two rows that have the same key. */
struct kma_modtable_pair {
	size_t before, after; /* indexes of rows; KMA_MODTABLE_NONE: the table has no such row */
};

struct kma_modtable_diff {
	const struct kma_modtable *before, *after; /* owned by the caller */
	int keys[KMA_MODTABLE_KEYS];	 /* columns of @after that identify rows; -1: none */
	int old[KMA_MODTABLE_COLUMNS];	 /* for each column of @after: that of @before, or -1 */
	struct kma_modtable_pair *pairs; /* pairs that differ, largest change first */
	size_t nr;
	size_t same; /* number of pairs that do not differ */
};

/*
 * The tables must live as long as @ret, which needs kma_modtable_diff_deinit() also after an error:
 * the tables are of different kinds, or (KMA_ERR_USAGE) of a kind whose rows only have addresses.
 */
struct kma_err *kma_modtable_diff(const struct kma_modtable *before,
				  const struct kma_modtable *after, struct kma_modtable_diff *ret);

void kma_modtable_diff_deinit(struct kma_modtable_diff *diff);

/*
 * Sets @ret to the number after minus the number before, in a column of @diff->after. A missing row
 * or number counts as 0. False if neither table has the number.
 */
bool kma_modtable_diff_change(const struct kma_modtable_diff *diff,
			      const struct kma_modtable_pair *pair, size_t column, int64_t *ret);

#endif /* KMA_MODEL_MODTABLE_DIFF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - compare two accounts: the numbers of each owner before and after.
 *
 * Rows of both sides that have the same key become one row; a key that only one side has is new or
 * gone. The key of a call site depends on whether both sides are from the same build of the kernel:
 *
 * - Same build: symbol, offset, size and module. A site is compared with itself.
 * - Different builds: symbol and module, without the suffixes of the compiler (.part.0, .isra.0,
 *   ...). Offsets change from build to build, so all sites of a function become one row.
 *
 * In both cases the kind of allocation is part of the key, if both sides have kinds. The key of a
 * site without a symbol is its text.
 *
 * The builds are the same if both sides have the same build ID. If one of them has no build ID,
 * they are the same if the releases do not differ, and each function that both sides have has the
 * same size in both.
 *
 * Never done here: rows are not dropped. The rows below the floor become one row with a name in
 * brackets, so the rows add up to the accounts.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_DIFF_H
#define KMA_MODEL_DIFF_H

#include "account.h"

enum kma_diff_side { KMA_DIFF_BEFORE, KMA_DIFF_AFTER, KMA_NR_DIFF_SIDES };

enum kma_diff_match {
	KMA_DIFF_BY_SITE,     /* the builds are the same */
	KMA_DIFF_BY_FUNCTION, /* the builds differ */
};

enum kma_diff_state { KMA_DIFF_CHANGED, KMA_DIFF_SAME, KMA_DIFF_NEW, KMA_DIFF_GONE };

/* Names of the states in CSV and JSON. */
extern const char *const kma_diff_states[];

struct kma_diff_row {
	const char *key;
	enum kma_kind kind; /* KMA_KIND_UNKNOWN unless both sides have kinds */
	enum kma_diff_state state;
	struct kma_values values[KMA_NR_DIFF_SIDES];
	size_t nr; /* rows that were combined into this one; otherwise 1 */
};

struct kma_diff;

/** kma_diff_create() - create a diff without rows */
struct kma_diff *kma_diff_create(void);

/* Free a diff. */
void kma_diff_destroy(struct kma_diff *diff);

/**
 * kma_diff_choose() - check whether two accounts are from the same build
 * @before: finished
 * @after: finished
 *
 * Return: how to match their call sites.
 */
enum kma_diff_match kma_diff_choose(const struct kma_account *before,
				    const struct kma_account *after);

/**
 * kma_diff_key() - make the key by which a call site is compared
 * @caller: text of the site as in the input
 * @match: from kma_diff_choose()
 *
 * Return: the key, which the caller has to free.
 */
char *kma_diff_key(const char *caller, enum kma_diff_match match);

/**
 * kma_diff_add() - add a row of one side
 * @diff: not finished
 * @side: the side of the row
 * @key: owner of the row, copied; rows of a side with equal keys are added up
 * @values: its numbers
 */
void kma_diff_add(struct kma_diff *diff, enum kma_diff_side side, const char *key,
		  const struct kma_values *values);

/**
 * kma_diff_set_kinds() - say from which accounts rows of kma_diff_add_caller() are
 * @diff: without rows; its rows have kinds only if both sides have some
 * @before: finished
 * @after: finished
 */
void kma_diff_set_kinds(struct kma_diff *diff, const struct kma_account *before,
			const struct kma_account *after);

/**
 * kma_diff_add_caller() - add a call site of one side
 * @diff: not finished, after kma_diff_set_kinds()
 * @side: the side of the site
 * @caller: text of the site as in the input
 * @kind: its kind
 * @match: from kma_diff_choose()
 * @values: its numbers
 */
void kma_diff_add_caller(struct kma_diff *diff, enum kma_diff_side side, const char *caller,
			 enum kma_kind kind, enum kma_diff_match match,
			 const struct kma_values *values);

/**
 * kma_diff_add_accounts() - add the call sites of both sides
 * @diff: not finished
 * @before: finished
 * @after: finished
 * @match: from kma_diff_choose()
 */
void kma_diff_add_accounts(struct kma_diff *diff, const struct kma_account *before,
			   const struct kma_account *after, enum kma_diff_match match);

/**
 * kma_diff_finish() - combine both sides, and sort the rows by their change
 * @diff: all rows were added
 * @metric: the metric that is compared
 * @floor: rows that changed by less become one row: "[below the floor]", or "[unchanged]" if @floor
 *	is at most 1
 * @top: number of rows to keep, those with the largest changes; the others above the floor become
 *	one row, "other (N rows)". 0: all
 */
void kma_diff_finish(struct kma_diff *diff, enum kma_metric_id metric, uint64_t floor, size_t top);

/**
 * kma_diff_rows() - get the rows, largest change first, combined rows last
 * @diff: finished
 * @nr: set to the number of rows
 *
 * Return: an array owned by the diff.
 */
const struct kma_diff_row *kma_diff_rows(const struct kma_diff *diff, size_t *nr);

/**
 * kma_diff_is_disjoint() - check whether the sides have nothing in common
 * @diff: finished
 *
 * Return: true if both sides have rows, and no row is on both.
 */
bool kma_diff_is_disjoint(const struct kma_diff *diff);

/**
 * kma_diff_total() - get the sum over all rows
 * @diff: finished
 *
 * Return: a row owned by the diff.
 */
const struct kma_diff_row *kma_diff_total(const struct kma_diff *diff);

/**
 * kma_diff_has_kinds() - check whether the rows have kinds
 * @diff: finished
 *
 * Return: true if call sites were added, and both sides know their kinds.
 */
bool kma_diff_has_kinds(const struct kma_diff *diff);

#endif /* KMA_MODEL_DIFF_H */

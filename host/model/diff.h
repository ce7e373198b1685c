/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - two accounts side by side: what each owner had before and has after.
 *
 * Rows with one key are one row; a key that only one side has is new or gone. For
 * call sites the key depends on whether both sides are of one build of the kernel:
 *
 * - one build: symbol, offset, size and module. A site is compared with itself.
 * - two builds: symbol and module, without the suffixes of the compiler
 *   (.part.0, .isra.0, ...). Offsets mean nothing across builds, so all sites of
 *   a function are one row.
 *
 * In both the kind of allocation belongs to the key, if both sides tell kinds. What
 * has no symbol is compared by its text.
 *
 * It is one build if both have the same build ID; without build IDs, if the releases
 * do not differ and every function that both sides have has the same size on both.
 *
 * Never done: rows are not dropped. Those under the floor are one row, with a name,
 * so sums over rows are those of the accounts.
 */
#ifndef KMA_MODEL_DIFF_H
#define KMA_MODEL_DIFF_H

#include "account.h"

enum kma_diff_side { KMA_DIFF_BEFORE, KMA_DIFF_AFTER, KMA_NR_DIFF_SIDES };

enum kma_diff_match {
	KMA_DIFF_BY_SITE,     /* one build */
	KMA_DIFF_BY_FUNCTION, /* two builds */
};

enum kma_diff_state { KMA_DIFF_CHANGED, KMA_DIFF_SAME, KMA_DIFF_NEW, KMA_DIFF_GONE };

/* Their names in csv and json. */
extern const char *const kma_diff_states[];

struct kma_diff_row {
	const char *key;
	enum kma_kind kind; /* UNKNOWN unless both sides tell kinds */
	enum kma_diff_state state;
	struct kma_values values[KMA_NR_DIFF_SIDES];
	size_t nr; /* rows that were gathered in this one, else 1 */
};

struct kma_diff;

/**
 * kma_diff_create() - no rows
 * @ret: the diff
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_diff_create(struct kma_diff **ret);

/**
 * kma_diff_destroy() - free a diff
 * @diff: from kma_diff_create(); NULL is fine
 */
void kma_diff_destroy(struct kma_diff *diff);

/**
 * kma_diff_choose() - are two accounts of one build?
 * @before: finished
 * @after: finished
 *
 * Return: how to match their call sites.
 */
enum kma_diff_match kma_diff_choose(const struct kma_account *before,
				    const struct kma_account *after);

/**
 * kma_diff_key() - by what a call site is compared
 * @caller: as in the input
 * @match: from kma_diff_choose()
 *
 * Return: the key, to be freed by the caller; NULL without memory.
 */
char *kma_diff_key(const char *caller, enum kma_diff_match match);

/**
 * kma_diff_add() - add a row of one side
 * @diff: not finished
 * @side: the side of the row
 * @key: owner of the row; rows with equal keys are added up; copied
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_diff_add(struct kma_diff *diff, enum kma_diff_side side, const char *key,
			     const struct kma_values *values);

/**
 * kma_diff_add_caller() - add a call site of one side, whose kind is not known
 * @diff: not finished
 * @side: the side of the site
 * @caller: as in the input
 * @match: from kma_diff_choose()
 * @values: its numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_diff_add_caller(struct kma_diff *diff, enum kma_diff_side side,
				    const char *caller, enum kma_diff_match match,
				    const struct kma_values *values);

/**
 * kma_diff_add_accounts() - add the call sites of both sides
 * @diff: not finished
 * @before: finished
 * @after: finished
 * @match: from kma_diff_choose()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_diff_add_accounts(struct kma_diff *diff, const struct kma_account *before,
				      const struct kma_account *after, enum kma_diff_match match);

/**
 * kma_diff_finish() - put both sides together and in order
 * @diff: all rows are in
 * @metric: what is compared
 * @floor: rows that changed by less are gathered in one, "[unchanged]" or "[below the floor]"
 * @top: that many rows, by size of the change; the others are one, "other (N rows)"; 0 is all
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_diff_finish(struct kma_diff *diff, enum kma_metric_id metric, uint64_t floor,
				size_t top);

/**
 * kma_diff_rows() - the rows, largest change first, gathered ones last
 * @diff: finished
 * @nr: how many
 *
 * Return: an array that stays with the diff.
 */
const struct kma_diff_row *kma_diff_rows(const struct kma_diff *diff, size_t *nr);

/**
 * kma_diff_total() - sum over all rows
 * @diff: finished
 *
 * Return: a row that stays with the diff.
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

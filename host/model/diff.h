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
	enum kma_kind kind : 8; /* KMA_KIND_UNKNOWN unless both sides have kinds */
	enum kma_diff_state state : 8;
	uint32_t nr; /* rows that were combined into this one; otherwise 1 */
	uint64_t number[KMA_NR_DIFF_SIDES];
};

struct kma_diff;

/* @metric is compared. */
struct kma_diff *kma_diff_create(enum kma_metric_id metric);
void kma_diff_destroy(struct kma_diff *diff);

/* How to match the call sites of two finished accounts: are they from the same build? */
enum kma_diff_match kma_diff_choose(const struct kma_account *before,
				    const struct kma_account *after);

/*
 * The key by which a call site is compared, to be freed by the caller. @caller is its text in the
 * input.
 */
char *kma_diff_key(const char *caller, enum kma_diff_match match);

/*
 * Adds a row of one side, whose owner is @key, copied. Rows of a side with equal keys are added up.
 */
void kma_diff_add(struct kma_diff *diff, enum kma_diff_side side, const char *key,
		  const struct kma_values *values);

/*
 * Before the first kma_diff_add_caller(): the accounts of both sides. Rows have kinds only if both
 * have some.
 */
void kma_diff_set_kinds(struct kma_diff *diff, const struct kma_account *before,
			const struct kma_account *after);

/* @caller is the text of the site in the input. */
void kma_diff_add_caller(struct kma_diff *diff, enum kma_diff_side side, const char *caller,
			 enum kma_kind kind, enum kma_diff_match match,
			 const struct kma_values *values);

/* Adds all call sites of both sides. */
void kma_diff_add_accounts(struct kma_diff *diff, const struct kma_account *before,
			   const struct kma_account *after, enum kma_diff_match match);

/*
 * Sorts the rows by their change. Rows that changed by less than @floor become one row: "[below the floor]", or "[unchanged]" if @floor is at most 1. Of the
 * others, those with the @top largest changes stay (0: all), and the rest becomes one row, "other
 * (N rows)".
 */
void kma_diff_finish(struct kma_diff *diff, uint64_t floor, size_t top);

/* Largest change first, combined rows last; owned by the diff. */
const struct kma_diff_row *kma_diff_rows(const struct kma_diff *diff, size_t *nr);

/* True if both sides have rows, but none in common. */
bool kma_diff_is_disjoint(const struct kma_diff *diff);

/* The sum over all rows, owned by the diff. */
const struct kma_diff_row *kma_diff_total(const struct kma_diff *diff);

/* Were call sites added, and do both sides know their kinds? */
bool kma_diff_has_kinds(const struct kma_diff *diff);

#endif /* KMA_MODEL_DIFF_H */

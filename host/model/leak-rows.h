/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-rows.h - the sums of an account that leak-series.h needs, by the number of the call site
 * (numbers.h). They replace the sites of all accounts of a series but the newest: a site takes 32
 * bytes, and 144 more with ages, instead of over 300 and its texts.
 *
 * Sites that are gone lose their numbers (kma_leak_rows_keep()). A site that comes back later gets
 * a new number. Older rows cannot tell whether their account had a row of such a site, and
 * kma_leak_rows_know() reports it.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_LEAK_ROWS_H
#define KMA_MODEL_LEAK_ROWS_H

#include "account.h"

/* The sums over all rows that a site has in the account. */
struct kma_leak_sums {
	uint64_t live, allocs, frees; /* live bytes; events */
	bool there;		      /* the account has a row of the site */
};

/* Live objects of a site in each epoch of birth (struct kma_site_age). */
struct kma_leak_births {
	uint64_t epochs[KMA_SITE_EPOCHS];
};

/* The rows of an account. Both arrays are indexed by the number of the site. */
struct kma_leak_rows {
	struct kma_leak_sums *sums;
	struct kma_leak_births *births; /* NULL: the account has no ages */
	size_t nr;			/* elements; sites with higher numbers have no row */
	/*
	 * Numbers from @nr_known on were assigned after kma_leak_rows_keep() had removed rows. The
	 * removed rows may be those of such a site.
	 */
	size_t nr_known;
};

/**
 * kma_leak_rows_fill() - add up the rows of each site of an account
 * @rows: zeroed
 * @account: finished
 * @numbers: number of each of its sites
 * @nr: upper limit of all numbers
 */
struct kma_err *kma_leak_rows_fill(struct kma_leak_rows *rows, const struct kma_account *account,
				   const uint32_t *numbers, size_t nr);

/**
 * kma_leak_rows_deinit() - free the rows
 * @rows: zeroed or filled
 */
void kma_leak_rows_deinit(struct kma_leak_rows *rows);

/**
 * kma_leak_rows_keep() - remove rows, and renumber the others as kma_numbers_keep() does
 * @rows: filled
 * @keep: for each number, whether its site keeps a number; the other rows are removed
 * @nr: elements of @keep
 */
void kma_leak_rows_keep(struct kma_leak_rows *rows, const bool *keep, size_t nr);

/**
 * kma_leak_rows_know() - check whether the rows state what a site held
 * @rows: filled
 * @number: number of the site
 *
 * Return: false if the account may have had a row of the site that kma_leak_rows_keep() has
 * removed.
 */
bool kma_leak_rows_know(const struct kma_leak_rows *rows, size_t number);

/**
 * kma_leak_rows_get() - get the sums of a site
 * @rows: filled
 * @number: number of the site
 *
 * Return: its sums, valid until the rows change; zeros for a site that the account does not have.
 */
const struct kma_leak_sums *kma_leak_rows_get(const struct kma_leak_rows *rows, size_t number);

/**
 * kma_leak_rows_older() - count the live objects of a site from a minimum age on
 * @rows: filled
 * @number: number of the site
 * @epoch: index of the youngest epoch that counts
 *
 * Return: objects that were born in @epoch or earlier; 0 without ages.
 */
uint64_t kma_leak_rows_older(const struct kma_leak_rows *rows, size_t number, unsigned int epoch);

#endif /* KMA_MODEL_LEAK_ROWS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak-rows.h - what the call sites of an account hold at its time, by the number of the site
 * (numbers.h).
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_LEAK_ROWS_H
#define KMA_MODEL_LEAK_ROWS_H

#include "account.h"

/* A site: the sums over its rows of the account. */
struct kma_leak_sums {
	uint64_t live, allocs, frees;
	bool there; /* it has a row */
};

/* Live objects of a site, by birth (struct kma_site_age). */
struct kma_leak_births {
	uint64_t epochs[KMA_SITE_EPOCHS];
};

struct kma_leak_rows {
	struct kma_leak_sums *sums;
	struct kma_leak_births *births; /* NULL: the account has no ages */
	size_t nr;
	/*
	 * Numbers from @nr_known on were given after others were taken away. The account may have had
	 * a site of such a number, whose row is gone.
	 */
	size_t nr_known;
};

/**
 * kma_leak_rows_fill() - take what the sites of an account hold
 * @rows: zeroed
 * @account: finished
 * @numbers: of each of its sites
 * @nr: all numbers are below it
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_leak_rows_fill(struct kma_leak_rows *rows, const struct kma_account *account,
				   const uint32_t *numbers, size_t nr);

/**
 * kma_leak_rows_deinit() - free the rows
 * @rows: zeroed or filled
 */
void kma_leak_rows_deinit(struct kma_leak_rows *rows);

/**
 * kma_leak_rows_keep() - move rows down as kma_numbers_keep() moves the numbers
 * @rows: filled
 * @keep: for each number whether its site keeps a number; the other rows are removed
 * @nr: how many numbers there were
 */
void kma_leak_rows_keep(struct kma_leak_rows *rows, const bool *keep, size_t nr);

/**
 * kma_leak_rows_know() - do the rows say what a site held?
 * @rows: filled
 * @number: of the site
 *
 * Return: false if the account may have had a row of the site that kma_leak_rows_keep() has removed.
 */
bool kma_leak_rows_know(const struct kma_leak_rows *rows, size_t number);

/**
 * kma_leak_rows_get() - what a site holds
 * @rows: filled
 * @number: of the site
 *
 * Return: its sums, which stay until the rows change; zeros for a site that the account does not have.
 */
const struct kma_leak_sums *kma_leak_rows_get(const struct kma_leak_rows *rows, size_t number);

/**
 * kma_leak_rows_older() - live objects of a site that are at least so old
 * @rows: filled
 * @number: of the site
 * @epoch: the youngest epoch that counts
 *
 * Return: objects of @epoch and of the epochs before it; 0 without ages.
 */
uint64_t kma_leak_rows_older(const struct kma_leak_rows *rows, size_t number, unsigned int epoch);

#endif /* KMA_MODEL_LEAK_ROWS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbers.h - numbers, from 0 up, for the call sites of accounts of several times. A call site is
 * the same in all accounts if its text, kind and group are equal. Rows of one account with the same
 * text, kind and group have the same number.
 *
 * The accounts of a history share their texts, and most of them have the call sites of the previous
 * account in the same order. The number of such a site is found by the address of its text; a hash
 * over the text is only needed for other sites. Limits are those of intern.h: beyond them there is
 * an error.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_NUMBERS_H
#define KMA_MODEL_NUMBERS_H

#include "account.h"

struct kma_numbers;

#define KMA_NUMBERS_NONE UINT32_MAX /* A call site beyond the limits has no number. */

/**
 * kma_numbers_create() - create a set of numbers in which no call site has a number
 * @advice: what the user can do if there are too many call sites, for a message; must outlive the
 *	set
 */
struct kma_numbers *kma_numbers_create(const char *advice);

/* Free the numbers. */
void kma_numbers_destroy(struct kma_numbers *numbers);

/**
 * kma_numbers_of() - get the numbers of the call sites of an account
 * @numbers: the numbers
 * @account: finished. New call sites get the next numbers, in their order
 * @ret: set to an array with a number for each of kma_account_sites(), valid until the next call
 *
 * Texts are compared by address. The account of the previous call must therefore still have had its
 * sites when @account was made, so that no text of @account is at the address of another text of
 * that account.
 *
 * Return: NULL, or an error that there are too many call sites or a name is too long.
 */
struct kma_err *kma_numbers_of(struct kma_numbers *numbers, const struct kma_account *account,
			       const uint32_t **ret);

/**
 * kma_numbers_get() - get the number of one call site
 * @numbers: the numbers
 * @site: a site of any account; a new one gets the next number
 *
 * Return: its number; KMA_NUMBERS_NONE if there are too many call sites.
 */
uint32_t kma_numbers_get(struct kma_numbers *numbers, const struct kma_site *site);

/**
 * kma_numbers_is_full() - check whether the limit of call sites is reached
 * @numbers: the numbers
 *
 * Return: true if new call sites get no number.
 */
bool kma_numbers_is_full(const struct kma_numbers *numbers);

/**
 * kma_numbers_keep() - remove call sites, and renumber the others
 * @numbers: the numbers. Afterwards they have no gaps, and the same order as before
 * @keep: for each number below kma_numbers_count(), whether to keep its call site
 */
void kma_numbers_keep(struct kma_numbers *numbers, const bool *keep);

/**
 * kma_numbers_count() - count the call sites that have a number
 * @numbers: the numbers
 *
 * Return: number of call sites; all numbers are below it.
 */
uint32_t kma_numbers_count(const struct kma_numbers *numbers);

#endif /* KMA_MODEL_NUMBERS_H */

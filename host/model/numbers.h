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

/* @advice says what the user can do if there are too many call sites; it must outlive the set. */
struct kma_numbers *kma_numbers_create(const char *advice);

void kma_numbers_destroy(struct kma_numbers *numbers);

/*
 * Sets @ret to the numbers of kma_account_sites() of a finished account, valid until the next call.
 * New call sites get the next numbers, in their order. It is an error if there are too many, or a
 * name is too long.
 *
 * Texts are compared by address. The account of the previous call must therefore still have had its
 * sites when @account was made, so that no text of @account is at the address of another text of
 * that account.
 */
struct kma_err *kma_numbers_of(struct kma_numbers *numbers, const struct kma_account *account,
			       const uint32_t **ret);

/*
 * As kma_numbers_of(), and adds each call site that gets a new number to @all, which is not finished:
 * so the sites of a series of accounts become those of one account, in the order of the numbers.
 */
struct kma_err *kma_numbers_gather(struct kma_numbers *numbers, const struct kma_account *account,
				   struct kma_account *all, const uint32_t **ret);

/*
 * Finishes the account of kma_numbers_gather(), which may sort its sites. @rows, to be freed, has the
 * number of each.
 */
struct kma_err *kma_numbers_finish(struct kma_numbers *numbers, struct kma_account *all,
				   uint32_t **rows);

/*
 * The number of a site of any account; a new one gets the next number. KMA_NUMBERS_NONE if there
 * are too many.
 */
uint32_t kma_numbers_get(struct kma_numbers *numbers, const struct kma_site *site);

/* Do new call sites get no number? */
bool kma_numbers_is_full(const struct kma_numbers *numbers);

/*
 * Removes the call sites that @keep does not have by number, and renumbers the others, without gaps
 * and in the same order.
 */
void kma_numbers_keep(struct kma_numbers *numbers, const bool *keep);

/* All numbers are below it. */
uint32_t kma_numbers_count(const struct kma_numbers *numbers);

#endif /* KMA_MODEL_NUMBERS_H */

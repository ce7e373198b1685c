/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbers.h - the call sites of accounts of several times by number, from 0 up. A call site is the
 * same in all accounts if its text, its kind and its group are; rows of an account that are one call
 * site have one number.
 *
 * The accounts of a history share their texts, and most have the call sites of the account before, in
 * its order. So a text at the same address is looked for where it is expected; only of another text a
 * hash is made (intern.h).
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_NUMBERS_H
#define KMA_MODEL_NUMBERS_H

#include "account.h"

struct kma_numbers;

#define KMA_NUMBERS_NONE UINT32_MAX

/**
 * kma_numbers_create() - no call site has a number
 * @advice: what to do if there are too many of them, for a message; stays the caller's
 * @ret: the numbers
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_numbers_create(const char *advice, struct kma_numbers **ret);

/**
 * kma_numbers_destroy() - free them
 * @numbers: from kma_numbers_create(); NULL is fine
 */
void kma_numbers_destroy(struct kma_numbers *numbers);

/**
 * kma_numbers_of() - the numbers of the call sites of an account
 * @numbers: those so far. When @account was made, the account of the call before still had its sites:
 *	no text of @account is at the address of another text of that account
 * @account: finished. Call sites that have no number get the next ones, in their order
 * @ret: a number for each of kma_account_sites(); the array stays until the next call
 *
 * Return: NULL or an error: there are too many call sites.
 */
struct kma_err *kma_numbers_of(struct kma_numbers *numbers, const struct kma_account *account,
			       const uint32_t **ret);

/**
 * kma_numbers_get() - the number of one call site
 * @numbers: the numbers
 * @site: of any account; one without a number gets the next one
 *
 * Return: its number; KMA_NUMBERS_NONE if there are too many call sites.
 */
uint32_t kma_numbers_get(struct kma_numbers *numbers, const struct kma_site *site);

/**
 * kma_numbers_is_full() - are there as many call sites as there may be?
 * @numbers: the numbers
 *
 * Return: true if call sites without a number get none.
 */
bool kma_numbers_is_full(const struct kma_numbers *numbers);

/**
 * kma_numbers_keep() - take the numbers of some call sites away
 * @numbers: the numbers. Those that stay are moved down, in their order, so that they have no gaps
 * @keep: for each number below kma_numbers_count() whether its call site keeps one
 *
 * Return: NULL or &kma_enomem; then nothing has changed.
 */
struct kma_err *kma_numbers_keep(struct kma_numbers *numbers, const bool *keep);

/**
 * kma_numbers_count() - how many call sites have a number
 * @numbers: the numbers
 *
 * Return: numbers are below it.
 */
uint32_t kma_numbers_count(const struct kma_numbers *numbers);

#endif /* KMA_MODEL_NUMBERS_H */

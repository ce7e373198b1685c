/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - a part of an account: the call sites that allocate in some ways and
 * not in others, as an account of its own.
 */
#ifndef KMA_MODEL_FILTER_H
#define KMA_MODEL_FILTER_H

#include "account.h"

/**
 * kma_account_filter() - keep the sites of some kinds
 * @account: finished; it does not change
 * @kinds: set of 1 << enum kma_kind
 * @ret: the sites of these kinds in their order, with metrics, losses and notes of @account;
 *	finished, its sums are over what was kept
 *
 * Losses are of the whole input: nobody knows the kind of what was not recorded.
 * Sites whose kind the input does not tell are left out unless @kinds has
 * KMA_KIND_UNKNOWN, and a warning says how many. That is the only warning @ret has:
 * those of @account are of its input and stay there.
 *
 * Return: NULL, or an error: no site of @account has a kind, so nothing can be chosen; or none has
 * one of @kinds, so nobody knows whether these were recorded.
 */
struct kma_err *kma_account_filter(const struct kma_account *account, unsigned int kinds,
				   struct kma_account **ret);

/**
 * kma_account_copy_head() - give an account the metrics, losses and notes of another one
 * @from: finished
 * @to: not finished
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_account_copy_head(const struct kma_account *from, struct kma_account *to);

#endif /* KMA_MODEL_FILTER_H */

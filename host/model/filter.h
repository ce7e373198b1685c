/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - make an account of those call sites of another one that have some kinds (kmalloc,
 * cache, page, percpu). It also has the functions by which other files copy parts of an account.
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
 * Losses are those of the whole input, because the kind of unrecorded events is unknown. Sites of
 * unknown kind are left out unless @kinds has KMA_KIND_UNKNOWN, and a warning has their number.
 * @ret has no other warning: those of @account concern its input and are not copied.
 *
 * Return: NULL, or an error: no site of @account has a kind; or, of kind KMA_ERR_NOT_FOUND, no site
 * has one of @kinds, which may not have been recorded.
 */
struct kma_err *kma_account_filter(const struct kma_account *account, unsigned int kinds,
				   struct kma_account **ret);

/**
 * kma_account_part() - keep some sites of an account
 * @account: finished; lends its texts
 * @keep: for each site, by its index
 * @ret: the sites in their order, with their places, stacks and groups, and metrics, losses and
 *	 notes of @account; not finished, so that notes can be added
 */
struct kma_err *kma_account_part(const struct kma_account *account, const bool *keep,
				 struct kma_account **ret);

/**
 * kma_account_copy_head() - copy metrics, losses and notes to another account
 * @from: finished
 * @to: not finished
 */
void kma_account_copy_head(const struct kma_account *from, struct kma_account *to);

/**
 * kma_account_copy_site() - add a copy of a site of another account
 * @site: the site; ages, aliases and the text of a stack are not copied
 * @to: not finished
 *
 * Return: as kma_account_add_site().
 */
struct kma_err *kma_account_copy_site(const struct kma_site *site, struct kma_account *to);

#endif /* KMA_MODEL_FILTER_H */

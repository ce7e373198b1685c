/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - make an account of some call sites of another one, such as those of some kinds
 * (kmalloc, cache, page, percpu).
 */
#ifndef KMA_MODEL_FILTER_H
#define KMA_MODEL_FILTER_H

#include "account.h"

/*
 * Keeps the sites of @kinds, a set of 1 << enum kma_kind. @ret is finished, and its sums are over
 * what was kept; its metrics, losses and notes are those of @account.
 *
 * Losses are those of the whole input, because the kind of unrecorded events is unknown. Sites of
 * unknown kind are left out unless @kinds has KMA_KIND_UNKNOWN, and a warning has their number.
 * @ret has no other warning: those of @account concern its input and are not copied.
 *
 * It is an error if no site of @account has a kind; or, of kind KMA_ERR_NOT_FOUND, if no site has
 * one of @kinds, which may not have been recorded.
 */
struct kma_err *kma_account_filter(const struct kma_account *account, unsigned int kinds,
				   struct kma_account **ret);

/*
 * Keeps the sites of a finished account that @keep has by index, with their places, stacks and
 * groups, and metrics, losses and notes of @account, which lends its texts. @ret is not finished,
 * so that notes can be added.
 */
struct kma_err *kma_account_part(const struct kma_account *account, const bool *keep,
				 struct kma_account **ret);

/* Copies metrics, losses and notes of a finished account. */
void kma_account_copy_head(const struct kma_account *from, struct kma_account *to);

/*
 * Adds a copy of a site without its ages, aliases and the text of a stack. Returns as
 * kma_account_add_site().
 */
struct kma_err *kma_account_copy_site(const struct kma_site *site, struct kma_account *to);

#endif /* KMA_MODEL_FILTER_H */

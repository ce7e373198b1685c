/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regroup.h - convert between an account by call site, which has groups in addition (groups.h), and
 * an account whose rows are pairs of call site and group.
 *
 * The module writes its table of sites and its table of groups one after the other. The sums of
 * both accounts are equal only if nothing was allocated or freed in between.
 */
#ifndef KMA_MODEL_REGROUP_H
#define KMA_MODEL_REGROUP_H

#include "account.h"

/*
 * Makes a finished account with a row for each pair of call site and group; @account lends its
 * texts. @ret is NULL if the rows of @account are such pairs already, as those of an event log by
 * task.
 *
 * The new account has only the metrics that tables of groups have: live and requested bytes, waste,
 * allocs, frees and objects. Call sites without a group are in the group KMA_GROUP_NONE. An error
 * is of kind KMA_ERR_NOT_FOUND: the input has no such groups.
 */
struct kma_err *kma_regroup(const struct kma_account *account, enum kma_grouped by,
			    struct kma_account **ret);

/*
 * Makes a finished account with one row for each call site of an account whose rows are pairs;
 * these become its groups. It has no peaks, because the peaks of groups do not add up to that of
 * the site. @ret is NULL if the rows have no groups.
 */
struct kma_err *kma_ungroup(const struct kma_account *account, struct kma_account **ret);

/* The number of call sites, of which one with a row for each group counts once. */
void kma_ungroup_count(const struct kma_account *account, size_t *ret);

#endif /* KMA_MODEL_REGROUP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * regroup.h - an account whose rows are the call sites of groups (groups.h). Its sums are those of
 * the account that it is made from, if nothing was allocated and freed between the two tables of
 * the input.
 */
#ifndef KMA_MODEL_REGROUP_H
#define KMA_MODEL_REGROUP_H

#include "account.h"

/**
 * kma_regroup() - make each call site of each group a row
 * @account: finished; its texts are used, not copied (kma_account_add_known())
 * @by: kind of the groups
 * @ret: a finished account with the losses and notes of @account, whose sites have groups; NULL
 *	if the sites of @account have them already, because its input is a list of groups
 *
 * It has the metrics that tables of groups have: live and requested bytes, waste, allocs, frees
 * and objects.
 *
 * Return: NULL or an error: the input has no such groups.
 */
struct kma_err *kma_regroup(const struct kma_account *account, enum kma_grouped by,
			    struct kma_account **ret);

/**
 * kma_ungroup() - an account with one row for each call site
 * @account: its rows are by call site and group, as those of an event log by task
 * @ret: the account, whose groups have the rows; NULL if @account is not of that kind
 *
 * It lacks the peaks, which do not add up.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_ungroup(const struct kma_account *account, struct kma_account **ret);

#endif /* KMA_MODEL_REGROUP_H */

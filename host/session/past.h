/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past.h - accounts out of a history folder: DIR is its newest one, DIR@TIME the one of a time.
 */
#ifndef KMA_SESSION_PAST_H
#define KMA_SESSION_PAST_H

#include "history/history.h"
#include "model/account.h"

/**
 * kma_past_load() - the account of a time
 * @path: folder of a history
 * @when: as a person writes it (history/when.h); NULL is the newest
 * @ret: the account
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_load(const char *path, const char *when, struct kma_account **ret);

/**
 * kma_past_each() - call a function for the accounts of an interval
 * @path: folder of a history
 * @from: as a person writes it; NULL is a day before the newest
 * @to: the same; NULL is the newest
 * @max: at most about as many, at equal distances; 0: all
 * @fn: the function, see kma_history_each()
 * @arg: handed to it
 * @damage: gets a sentence for each day of which something cannot be read; NULL: not reported
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_each(const char *path, const char *from, const char *to, size_t max,
			      struct kma_err *(*fn)(void *arg, struct kma_account *account),
			      void *arg, struct kma_notes *damage);

/**
 * kma_past_no_groups() - say that a history does not have the rows of groups
 * @path: folder of a history
 * @by: the groups that were asked for
 *
 * Return: an error of kind KMA_ERR_NOT_FOUND.
 */
struct kma_err *kma_past_no_groups(const char *path, enum kma_grouped by);

/**
 * kma_past_now() - the time
 *
 * Return: ns since 1970.
 */
uint64_t kma_past_now(void);

#endif /* KMA_SESSION_PAST_H */

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

/* What is enough to tell which call sites there are, and what they hold. */
#define KMA_PAST_COUNTS (1U << KMA_CURRENT | 1U << KMA_ALLOCS | 1U << KMA_FREES)

/* What of a history is read, by kma_past_each(). */
struct kma_past_wish {
	const char *path; /* folder of a history */
	const char *from; /* as a person writes it; NULL is a day before the newest */
	const char *to;	  /* the same; NULL is the newest */
	size_t max;	  /* at most about as many, at equal distances; 0: all */
	enum kma_grouped
		groups;	  /* a row for each call site of each group; samples without are left out */
	bool with_groups; /* the accounts have their groups, as tables beside the call sites */
	struct kma_columns_need need; /* what of each row; the others are not read */
	size_t *damaged; /* NULL, or increased by the days of which something cannot be read */
};

/**
 * kma_past_each() - call a function for the accounts of an interval
 * @wish: what to read
 * @fn: the function, see kma_history_each()
 * @arg: handed to it
 * @damage: gets a sentence for each day of which something cannot be read, and one for samples
 *	    that are left out; NULL: not reported
 *
 * Return: NULL or an error; one of kind KMA_ERR_NOT_FOUND if no sample has the groups.
 */
struct kma_err *kma_past_each(const struct kma_past_wish *wish,
			      struct kma_err *(*fn)(void *arg, struct kma_account *account),
			      void *arg, struct kma_notes *damage);

/**
 * kma_past_without() - say that no sample of a history has a kind of groups
 * @path: folder of the history
 * @by: the kind
 *
 * Return: an error of kind KMA_ERR_NOT_FOUND.
 */
struct kma_err *kma_past_without(const char *path, enum kma_grouped by);

/**
 * kma_past_now() - the time
 *
 * Return: ns since 1970.
 */
uint64_t kma_past_now(void);

#endif /* KMA_SESSION_PAST_H */

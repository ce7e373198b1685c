/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past.h - read accounts from a history directory: DIR is the newest, DIR@TIME that of a time.
 */
#ifndef KMA_SESSION_PAST_H
#define KMA_SESSION_PAST_H

#include "history/history.h"
#include "model/account.h"

/**
 * kma_past_load() - read the newest account that is not after a time
 * @path: directory of a history
 * @when: time as a person writes it (history/when.h); NULL is the newest
 * @ret: the account, with its groups
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_load(const char *path, const char *when, struct kma_account **ret);

/**
 * kma_past_load_at() - read the newest account that is not after a time
 * @path: directory of a history, or a bundle
 * @time: ns since 1970
 * @ret: the account, with its groups
 *
 * Return: NULL or an error. If the sample cannot be read, the error also has the times of the
 * nearest ones before and after it that can.
 */
struct kma_err *kma_past_load_at(const char *path, uint64_t time, struct kma_account **ret);

/* Metrics that suffice to know which call sites exist and how many bytes each has. */
#define KMA_PAST_COUNTS (1U << KMA_CURRENT | 1U << KMA_ALLOCS | 1U << KMA_FREES)

/* The part of a history that kma_past_each() reads. */
struct kma_past_wish {
	const char *path;	 /* directory of a history */
	const char *from;	 /* as a person writes it; NULL is a day before the newest */
	const char *to;		 /* as a person writes it; NULL is the newest */
	size_t max;		 /* about the most samples, at equal distances; 0: all */
	enum kma_grouped groups; /* rows are call sites of groups; samples without are left out */
	bool with_groups;	 /* the accounts keep their groups, as tables next to the sites */
	struct kma_columns_need need; /* columns of each row to read; the others are skipped */
	size_t *damaged; /* increased by the number of days that are not read whole; or NULL */
};

/**
 * kma_past_each() - call a function for the accounts of an interval
 * @wish: the interval and what to read of it
 * @fn: the function, which takes over the account; see kma_history_each()
 * @arg: passed to @fn
 * @damage: gets a sentence for each day of which something cannot be read, and one for samples
 *	    that are left out; NULL: not reported
 *
 * Return: NULL or an error; one of kind KMA_ERR_NOT_FOUND if no sample has the groups.
 */
struct kma_err *kma_past_each(const struct kma_past_wish *wish,
			      struct kma_err *(*fn)(void *arg, struct kma_account *account),
			      void *arg, struct kma_notes *damage);

/* The ends of an interval of a history, ns since 1970. */
struct kma_past_ends {
	uint64_t begin, end;  /* the interval; @end is UINT64_MAX if it is open */
	uint64_t first, last; /* times of its first and last sample, which differ */
	size_t damaged; /* days that cannot be read and may have an earlier first or a later last */
};

/**
 * kma_past_ends() - find the first and the last sample of an interval
 * @wish: path, from and to are used
 * @ret: filled in
 * @notes: gets a sentence for each day that cannot be read, and one for a time that the user gave
 *	   and that no sample is near
 *
 * A sample is near if it is not farther away than two and a half times the usual time between two
 * samples. A day that cannot be read is not counted as damaged if it lies between the two samples, or
 * outside of the interval: it does not change which samples these are.
 *
 * Return: NULL, or an error: of kind KMA_ERR_NOT_FOUND if the interval has no two samples of
 * different times.
 */
struct kma_err *kma_past_ends(const struct kma_past_wish *wish, struct kma_past_ends *ret,
			      struct kma_notes *notes);

/**
 * kma_past_without() - create the error that no sample of a history has a kind of groups
 * @path: directory of the history
 * @by: the kind
 *
 * Return: an error of kind KMA_ERR_NOT_FOUND.
 */
struct kma_err *kma_past_without(const char *path, enum kma_grouped by);

/* Why one sample is not enough, for kma_past_refuse_sample(). */
#define KMA_PAST_CHOOSES "--from and --to need all samples"

/**
 * kma_past_refuse_sample() - say that one sample of a history is not enough
 * @name: an input, as typed
 * @why: what needs all samples, as "a timeline needs all samples"
 *
 * Return: NULL if @name is not HISTORY@TIME; otherwise an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_past_refuse_sample(const char *name, const char *why);

/**
 * kma_past_refuse_interval() - say why --from and --to cannot choose among the samples of an input
 * @name: an input that is not a history, as typed
 *
 * Return: an error if @name is a directory, one sample of a history, or does not exist; otherwise
 * NULL, and the caller has to say which input it needs.
 */
struct kma_err *kma_past_refuse_interval(const char *name);

/**
 * kma_past_refuse_live() - say that a command which reads an account repeatedly takes no history
 * @name: an input, as typed
 *
 * Return: NULL if @name is neither a directory nor a sample of a history; otherwise an error.
 */
struct kma_err *kma_past_refuse_live(const char *name);

/**
 * kma_past_refuse_log() - say that a command which needs an event log takes no directory
 * @name: an input, as typed
 *
 * Return: NULL if @name is neither a directory nor a sample of a history; otherwise an error of kind
 * KMA_ERR_OTHER_FORMAT.
 */
struct kma_err *kma_past_refuse_log(const char *name);

/**
 * kma_past_now() - get the current time
 *
 * Return: ns since 1970.
 */
uint64_t kma_past_now(void);

#endif /* KMA_SESSION_PAST_H */

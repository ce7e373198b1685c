/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * moment.h - when and of which account a snapshot is: what orders snapshots and tells two series
 * apart. Kept in an account as notes, so that it goes wherever the account goes.
 */
#ifndef KMA_MODEL_MOMENT_H
#define KMA_MODEL_MOMENT_H

#include "account.h"

struct kma_moment {
	const char *boot;    /* boot ID; "" when not known */
	uint64_t up, time;   /* ns of CLOCK_BOOTTIME and of CLOCK_REALTIME */
	uint64_t loaded;     /* ns of CLOCK_BOOTTIME when the module was loaded */
	uint64_t generation; /* of the account since then */
};

/**
 * kma_moment_is_note() - is a header line of a snapshot one of a moment?
 * @key: of the line
 *
 * Return: true if kma_moment_of() knows it.
 */
bool kma_moment_is_note(const char *key);

/**
 * kma_moment_of() - read the moment of an account
 * @account: an account
 * @ret: filled in; texts stay with the account
 *
 * Return: false if the account has no time.
 */
bool kma_moment_of(const struct kma_account *account, struct kma_moment *ret);

/**
 * kma_moment_keep() - keep a moment as notes of an account
 * @account: not finished
 * @moment: to be read by kma_moment_of() later
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_moment_keep(struct kma_account *account, const struct kma_moment *moment);

/**
 * kma_moment_same() - are two moments of one account, of which numbers go on?
 * @a: a moment
 * @b: another one
 *
 * Return: true if boot, load of the module and generation are the same.
 */
bool kma_moment_same(const struct kma_moment *a, const struct kma_moment *b);

/**
 * kma_moment_jumped() - was the clock set between two moments of one boot?
 * @a: a moment
 * @b: another one
 *
 * Return: ns by which it was, with sign; 0 for less than two seconds.
 */
int64_t kma_moment_jumped(const struct kma_moment *a, const struct kma_moment *b);

#endif /* KMA_MODEL_MOMENT_H */

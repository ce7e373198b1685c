/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * moment.h - the time of a snapshot, and the identity of the module's account at that time. The
 * time orders snapshots. Counters of two snapshots can be compared only if the identity is the
 * same. The moment is stored as notes of an account, so each copy of an account has it.
 */
#ifndef KMA_MODEL_MOMENT_H
#define KMA_MODEL_MOMENT_H

#include "account.h"

struct kma_moment {
	const char *boot;    /* boot ID; "" if unknown */
	uint64_t up, time;   /* ns of CLOCK_BOOTTIME and of CLOCK_REALTIME */
	uint64_t loaded;     /* ns of CLOCK_BOOTTIME when the module was loaded */
	uint64_t generation; /* of the account since then: a clear starts a new one */
};

/**
 * kma_moment_is_note() - check whether a header line of a snapshot is part of a moment
 * @key: key of the line
 *
 * Return: true if kma_moment_of() reads it.
 */
bool kma_moment_is_note(const char *key);

/**
 * kma_moment_of() - read the moment of an account
 * @account: an account
 * @ret: filled in; unknown numbers are 0. Its text is owned by the account
 *
 * Return: false if the account has no time.
 */
bool kma_moment_of(const struct kma_account *account, struct kma_moment *ret);

/**
 * kma_moment_keep() - store a moment as notes of an account
 * @account: not finished
 * @moment: the moment; kma_moment_of() reads it again
 */
void kma_moment_keep(struct kma_account *account, const struct kma_moment *moment);

/*
 * Makes @kept, zero or from this function, a copy of a moment, with its own text of the boot ID.
 * NULL: frees the text.
 */
void kma_moment_replace(struct kma_moment *kept, const struct kma_moment *moment);

/**
 * kma_moment_same() - check whether two moments are of one account, whose counters continue
 * @a: a moment
 * @b: another one
 *
 * Return: true if boot, load of the module and generation are the same.
 */
bool kma_moment_same(const struct kma_moment *a, const struct kma_moment *b);

/**
 * kma_moment_jumped() - get the time by which the clock was set between two moments of one boot
 * @a: a moment
 * @b: a later one
 *
 * Return: ns, negative if the clock was set back; 0 for less than two seconds, which is drift.
 */
int64_t kma_moment_jumped(const struct kma_moment *a, const struct kma_moment *b);

#endif /* KMA_MODEL_MOMENT_H */

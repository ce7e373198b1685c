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

/* Is a header line of a snapshot, with this key, part of a moment? */
bool kma_moment_is_note(const char *key);

/*
 * Reads the moment of an account, which owns its text. Unknown numbers are 0. False if the account
 * has no time.
 */
bool kma_moment_of(const struct kma_account *account, struct kma_moment *ret);

/* Stores a moment as notes of an account that is not finished. */
void kma_moment_keep(struct kma_account *account, const struct kma_moment *moment);

/*
 * Makes @kept, zero or from this function, a copy of a moment, with its own text of the boot ID.
 * NULL: frees the text.
 */
void kma_moment_replace(struct kma_moment *kept, const struct kma_moment *moment);

/*
 * Are the moments of one account, whose counters continue: are boot, load of the module and
 * generation the same?
 */
bool kma_moment_same(const struct kma_moment *a, const struct kma_moment *b);

/*
 * The time in ns by which the clock was set between @a and the later @b of one boot; negative if it
 * was set back; 0 for less than two seconds, which is drift.
 */
int64_t kma_moment_jumped(const struct kma_moment *a, const struct kma_moment *b);

#endif /* KMA_MODEL_MOMENT_H */

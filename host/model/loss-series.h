/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loss-series.h - the events lost in each interval of a series of snapshots.
 *
 * A snapshot has the number of events lost since its account began. The events lost between two
 * snapshots are the difference, unless a new account began in between: its number starts at 0. The
 * losses before the first known number of an account that is older than the series count, but the
 * interval in which they happened is unknown.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_LOSS_SERIES_H
#define KMA_MODEL_LOSS_SERIES_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroed before the first snapshot. Numbers of events. */
struct kma_loss_series {
	uint64_t all;	/* lost by all accounts of the series */
	uint64_t since; /* of @all: lost in a known interval between two snapshots */
	uint64_t last;	/* lost by the current account up to its last snapshot */
	bool known;	/* @last is known */
};

/*
 * Adds the next snapshot. @said: it states the number of events lost since its account began;
 * otherwise @events is ignored. A smaller number than before means a new account. @begins: the
 * snapshot is of another account than the one before.
 */
void kma_loss_series_add(struct kma_loss_series *series, bool said, uint64_t events, bool begins);

#endif /* KMA_MODEL_LOSS_SERIES_H */

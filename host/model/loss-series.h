/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loss-series.h - when events were lost, of a series of snapshots that each count the losses since
 * their account began.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_LOSS_SERIES_H
#define KMA_MODEL_LOSS_SERIES_H

#include <stdbool.h>
#include <stdint.h>

/* Zero at first. */
struct kma_loss_series {
	uint64_t all; /* events of all accounts that were met */
	uint64_t since; /* of these, those of which it is known between which snapshots they were lost */
	uint64_t last; /* count of the account that goes on */
	bool known;    /* this account has said a count */
};

/**
 * kma_loss_series_add() - add the count of the next snapshot
 * @series: of the snapshots before
 * @said: the snapshot has a count; if not, only @begins is looked at
 * @events: the count; one that fell is of an account that began anew
 * @begins: the snapshot is of another account than the one before
 */
void kma_loss_series_add(struct kma_loss_series *series, bool said, uint64_t events, bool begins);

#endif /* KMA_MODEL_LOSS_SERIES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * booker.h - a thread that counts events. A reader fills batches of events and submits them. At the
 * same time, the ledger counts earlier batches on another CPU, in the order of submission. A ring
 * of eight batches (512 KiB) is reused, so the memory does not depend on the speed of either side.
 * If no thread can be created, kma_booker_submit() counts the events itself.
 *
 * Locking: one thread submits, one counts. They share the ring's two counters, which the ring's
 * lock protects. The counters determine which side owns a batch. The counting thread owns the
 * ledger from kma_booker_create() to kma_booker_finish(). For each batch, which takes about 100 us,
 * the submitting thread takes the lock twice and the counting thread once; no lock is held while
 * events are converted or counted.
 */
#ifndef KMA_MODEL_BOOKER_H
#define KMA_MODEL_BOOKER_H

#include "ledger.h"

#define KMA_BATCH_EVENTS 2048

struct kma_batch {
	size_t nr;    /* events, at most KMA_BATCH_EVENTS */
	bool restart; /* call kma_ledger_restart() before these events are counted */
	struct kma_event events[KMA_BATCH_EVENTS];
};

struct kma_booker;

/*
 * Starts the thread. Nobody else may use @ledger until kma_booker_finish() or kma_booker_destroy().
 */
struct kma_booker *kma_booker_create(struct kma_ledger *ledger);

/* Submitted batches are counted, the current batch is not. */
void kma_booker_destroy(struct kma_booker *booker);

/*
 * The current batch, which is empty after kma_booker_submit(). Waits while all batches of the ring
 * are submitted and not yet counted.
 */
struct kma_batch *kma_booker_batch(struct kma_booker *booker);

/* Submits the current batch. */
void kma_booker_submit(struct kma_booker *booker);

/*
 * Submits the current batch, and waits until all are counted. Afterwards the booker can only be
 * destroyed.
 */
void kma_booker_finish(struct kma_booker *booker);

#endif /* KMA_MODEL_BOOKER_H */

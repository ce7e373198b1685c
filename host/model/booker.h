/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * booker.h - a thread that books. A reader fills batches of events and submits
 * them; the ledger books them meanwhile on another CPU, in the order in which they
 * were submitted. A few batches go round, so memory does not depend on who is
 * faster. Where no thread can be had, submitting books.
 *
 * Locking: one thread submits, one books. What they share is the ring's two
 * counters, under its lock; a batch belongs to the side that the counters say, and
 * the ledger to the booker from kma_booker_create() to kma_booker_finish(). The
 * lock is taken twice for a batch by each side, once in some 100 us.
 */
#ifndef KMA_MODEL_BOOKER_H
#define KMA_MODEL_BOOKER_H

#include "ledger.h"

#define KMA_BATCH_EVENTS 2048

struct kma_batch {
	size_t nr;
	bool restart; /* kma_ledger_restart() before them */
	struct kma_event events[KMA_BATCH_EVENTS];
};

struct kma_booker;

/**
 * kma_booker_create() - begin to book
 * @ledger: is the booker's until kma_booker_finish()
 * @ret: the booker
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_booker_create(struct kma_ledger *ledger, struct kma_booker **ret);

/**
 * kma_booker_destroy() - end; what was submitted is booked, the batch to fill is not
 * @booker: from kma_booker_create(); NULL is fine
 */
void kma_booker_destroy(struct kma_booker *booker);

/**
 * kma_booker_batch() - the batch to fill
 * @booker: not finished
 *
 * Waits until there is a free one.
 *
 * Return: a batch, empty after each kma_booker_submit(); else the same as before.
 */
struct kma_batch *kma_booker_batch(struct kma_booker *booker);

/**
 * kma_booker_submit() - let the batch be booked
 * @booker: not finished
 *
 * Return: NULL, or the error of a batch that was submitted before; then the booker
 * can only be destroyed.
 */
struct kma_err *kma_booker_submit(struct kma_booker *booker);

/**
 * kma_booker_finish() - submit what the batch holds, wait until all is booked
 * @booker: not finished; can only be destroyed after that
 *
 * Return: NULL or the error of a batch.
 */
struct kma_err *kma_booker_finish(struct kma_booker *booker);

#endif /* KMA_MODEL_BOOKER_H */

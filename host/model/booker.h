/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * booker.h - a thread that counts events. A reader fills batches of events and submits them. At the
 * same time, the ledger counts earlier batches on another CPU, in the order of submission. A fixed
 * number of batches is reused, so the memory does not depend on the speed of either side. If no
 * thread can be created, kma_booker_submit() counts the events itself.
 *
 * Locking: one thread submits, one counts. They share the ring's two counters, which the ring's
 * lock protects. The counters determine which side owns a batch. The counting thread owns the
 * ledger from kma_booker_create() to kma_booker_finish(). Each side takes the lock twice for a
 * batch, about every 100 us.
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
 * kma_booker_destroy() - stop the thread; submitted batches are counted, the current batch is not
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
 * kma_booker_submit() - submit the current batch
 * @booker: not finished
 *
 * Return: NULL, or the error of a batch that was submitted before; then the booker
 * can only be destroyed.
 */
struct kma_err *kma_booker_submit(struct kma_booker *booker);

/**
 * kma_booker_finish() - submit the current batch, and wait until all batches are counted
 * @booker: not finished; can only be destroyed after that
 *
 * Return: NULL or the error of a batch.
 */
struct kma_err *kma_booker_finish(struct kma_booker *booker);

#endif /* KMA_MODEL_BOOKER_H */

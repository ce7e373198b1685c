// SPDX-License-Identifier: GPL-2.0-only
/*
 * booker.c - a thread that counts events. booker.h has the design.
 *
 * Batch number i is in slot i % KMA_BATCHES of the ring. Of the numbers, the counting thread owns
 * [booked, submitted), and the submitting thread owns @submitted, once kma_booker_batch() has seen
 * that its slot is free (@holds). The submitter wakes the counting thread only when the ring was
 * empty, and is woken when half of the ring is free, so that a wakeup serves several batches.
 *
 * After an error the counting thread ends and leaves the rest of its batches uncounted.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "booker.h"
#include "lib/alloc.h"

#define KMA_BATCHES 8 /* a power of two */

struct kma_booker {
	struct kma_ledger *ledger;
	pthread_t thread;
	bool threaded; /* false: there is no thread; submit() counts */
	pthread_mutex_t lock;
	pthread_cond_t filled, emptied;
	/* Protected by @lock: */
	uint64_t submitted, booked; /* batches since the start */
	bool done;		    /* no batch will be submitted any more */
	/* Only used by the submitting thread: batch number @submitted is known to be free. */
	bool holds;
	struct kma_batch *batches; /* KMA_BATCHES of them */
};

static struct kma_batch *batch_at(struct kma_booker *booker, uint64_t i)
{
	return &booker->batches[i % KMA_BATCHES];
}

static void book_batch(struct kma_booker *booker, struct kma_batch *batch)
{
	if (batch->restart)
		kma_ledger_restart(booker->ledger);
	batch->restart = false;
	kma_ledger_book(booker->ledger, batch->events, batch->nr);
	batch->nr = 0;
}

static void *booker_run(void *arg)
{
	struct kma_booker *booker = arg;

	pthread_mutex_lock(&booker->lock);
	for (;;) {
		struct kma_batch *batch = batch_at(booker, booker->booked);

		if (booker->booked == booker->submitted) {
			if (booker->done)
				break;
			pthread_cond_wait(&booker->filled, &booker->lock);
			continue;
		}
		pthread_mutex_unlock(&booker->lock);
		book_batch(booker, batch);
		pthread_mutex_lock(&booker->lock);
		/*
		 * Wake the submitter when half of the ring is free: it sleeps and wakes less often.
		 */
		if (booker->submitted - booker->booked++ == KMA_BATCHES / 2)
			pthread_cond_signal(&booker->emptied);
	}
	pthread_mutex_unlock(&booker->lock);
	return NULL;
}

/* Start the thread with all signals blocked: handlers run in the submitting thread. */
static bool booker_start(struct kma_booker *booker)
{
	sigset_t all, old;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ret = pthread_create(&booker->thread, NULL, booker_run, booker);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return !ret;
}

struct kma_booker *kma_booker_create(struct kma_ledger *ledger)
{
	struct kma_booker *booker = kma_xcalloc(1, sizeof(*booker));

	booker->batches = kma_xmalloc(KMA_BATCHES * sizeof(*booker->batches));
	for (size_t i = 0; i < KMA_BATCHES; i++) {
		booker->batches[i].nr = 0;
		booker->batches[i].restart = false;
	}
	booker->ledger = ledger;
	pthread_mutex_init(&booker->lock, NULL);
	pthread_cond_init(&booker->filled, NULL);
	pthread_cond_init(&booker->emptied, NULL);
	booker->threaded = booker_start(booker);
	return booker;
}

static void booker_join(struct kma_booker *booker)
{
	if (!booker->threaded)
		return;
	pthread_mutex_lock(&booker->lock);
	booker->done = true;
	pthread_cond_signal(&booker->filled);
	pthread_mutex_unlock(&booker->lock);
	pthread_join(booker->thread, NULL);
	booker->threaded = false;
}

void kma_booker_destroy(struct kma_booker *booker)
{
	if (!booker)
		return;
	booker_join(booker);
	pthread_cond_destroy(&booker->emptied);
	pthread_cond_destroy(&booker->filled);
	pthread_mutex_destroy(&booker->lock);
	free(booker->batches);
	free(booker);
}

struct kma_batch *kma_booker_batch(struct kma_booker *booker)
{
	if (booker->threaded && !booker->holds) {
		pthread_mutex_lock(&booker->lock);
		while (booker->submitted - booker->booked == KMA_BATCHES)
			pthread_cond_wait(&booker->emptied, &booker->lock);
		booker->holds = true;
		pthread_mutex_unlock(&booker->lock);
	}
	return batch_at(booker, booker->submitted);
}

void kma_booker_submit(struct kma_booker *booker)
{
	struct kma_batch *batch = kma_booker_batch(booker);

	if (!booker->threaded) {
		book_batch(booker, batch);
		return;
	}
	pthread_mutex_lock(&booker->lock);
	if (booker->submitted++ == booker->booked)
		pthread_cond_signal(&booker->filled);
	booker->holds = false;
	pthread_mutex_unlock(&booker->lock);
}

void kma_booker_finish(struct kma_booker *booker)
{
	kma_booker_submit(booker);
	booker_join(booker);
}

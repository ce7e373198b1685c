/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shmring.h - a ring of slots in shared memory, from a child process to its parent. It is for a
 * library that may crash on a corrupt file and therefore runs in the child (child.h).
 *
 * The child fills the slots in order and the parent reads them in order. Each side has its own
 * counter in private memory, and two semaphores in the shared memory count full and empty slots. A
 * faulty child therefore cannot change the parent's position; it can only write nonsense into
 * slots, or stop. The parent must validate the contents of each slot, and wait with a time limit.
 *
 * Locking: one process fills and one reads, each with one thread. sem_post(full) in
 * kma_shmring_push() pairs with sem_timedwait(full) in kma_shmring_take(): what was written to a
 * slot is visible to its reader. sem_post(empty) in kma_shmring_pop() pairs with sem_wait(empty) in
 * kma_shmring_fill(): a slot is read before it is filled again.
 */
#ifndef KMA_LIB_SHMRING_H
#define KMA_LIB_SHMRING_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct kma_shmring;

/*
 * Before fork(2). The size of a slot is rounded up to a multiple of 64 bytes. An error says that
 * the system has no semaphores for processes.
 */
struct kma_err *kma_shmring_create(size_t slot_size, unsigned int nr_slots,
				   struct kma_shmring **ret);

/* In the parent, after the child has ended. */
void kma_shmring_destroy(struct kma_shmring *ring);

/*
 * In the child: waits until a slot is empty. The slot has its old contents, and stays the same
 * until kma_shmring_push() passes it to the parent.
 */
void *kma_shmring_fill(struct kma_shmring *ring);
void kma_shmring_push(struct kma_shmring *ring);

/*
 * In the parent: the next full slot, until kma_shmring_pop() returns it to the child. NULL if none
 * was filled in @wait_ms of the wall clock, or a signal ended the wait.
 */
void *kma_shmring_take(struct kma_shmring *ring, unsigned int wait_ms);
void kma_shmring_pop(struct kma_shmring *ring);

/* The parent asks the child to end; the child has to check whether it was asked. */
void kma_shmring_stop(struct kma_shmring *ring);
bool kma_shmring_stopped(const struct kma_shmring *ring);

#endif /* KMA_LIB_SHMRING_H */

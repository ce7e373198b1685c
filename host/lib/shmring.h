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

/**
 * kma_shmring_create() - create a ring, before fork(2)
 * @slot_size: bytes of a slot, rounded up to a multiple of 64
 * @nr_slots: number of slots
 * @ret: the ring
 *
 * Return: NULL, or an error that the system has no semaphores for processes.
 */
struct kma_err *kma_shmring_create(size_t slot_size, unsigned int nr_slots,
				   struct kma_shmring **ret);

/* Free a ring, in the parent, after the child has ended. */
void kma_shmring_destroy(struct kma_shmring *ring);

/**
 * kma_shmring_fill() - get the next slot to fill, in the child
 * @ring: the ring
 *
 * Waits until a slot is empty.
 *
 * Return: the slot, with its old contents; the same slot until kma_shmring_push().
 */
void *kma_shmring_fill(struct kma_shmring *ring);

/**
 * kma_shmring_push() - pass the filled slot to the parent, in the child
 * @ring: the ring, after kma_shmring_fill()
 */
void kma_shmring_push(struct kma_shmring *ring);

/**
 * kma_shmring_take() - get the next full slot, in the parent
 * @ring: the ring
 * @wait_ms: longest time to wait, in ms of the wall clock
 *
 * Return: the slot; NULL if none was filled in that time, or a signal ended the wait.
 */
void *kma_shmring_take(struct kma_shmring *ring, unsigned int wait_ms);

/**
 * kma_shmring_pop() - return the slot to the child, in the parent
 * @ring: the ring, after kma_shmring_take() has returned a slot
 */
void kma_shmring_pop(struct kma_shmring *ring);

/* Request that the child ends, in the parent. */
void kma_shmring_stop(struct kma_shmring *ring);

/**
 * kma_shmring_stopped() - check whether the child has to end
 * @ring: the ring
 *
 * Return: true after kma_shmring_stop().
 */
bool kma_shmring_stopped(const struct kma_shmring *ring);

#endif /* KMA_LIB_SHMRING_H */

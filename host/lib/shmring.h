/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shmring.h - slots of shared memory from a child process to its parent. The child fills them in
 * order and the parent reads them in order. Each side has its own counter, and two semaphores in
 * the shared memory count full and empty slots. A faulty child therefore cannot change the parent's
 * position. The parent must validate the contents of each slot.
 *
 * Locking: one process fills and one reads, each with one thread. The pair of sem_post(full) and
 * sem_wait(full) orders what was written to a slot before what is read of it; sem_post(empty) and
 * sem_wait(empty) orders the opposite direction.
 */
#ifndef KMA_LIB_SHMRING_H
#define KMA_LIB_SHMRING_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct kma_shmring;

/**
 * kma_shmring_create() - a ring, before fork(2)
 * @slot_size: bytes of a slot
 * @nr_slots: how many
 * @ret: the ring
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_shmring_create(size_t slot_size, unsigned int nr_slots,
				   struct kma_shmring **ret);

/**
 * kma_shmring_destroy() - in the parent, when the child is gone
 * @ring: from kma_shmring_create(); NULL is fine
 */
void kma_shmring_destroy(struct kma_shmring *ring);

/**
 * kma_shmring_fill() - return the next slot to fill, in the child
 * @ring: the ring
 *
 * Waits until a slot is empty.
 *
 * Return: the slot, with its old contents; the same slot until it is pushed.
 */
void *kma_shmring_fill(struct kma_shmring *ring);

/**
 * kma_shmring_push() - the slot is full, in the child
 * @ring: kma_shmring_fill() was called
 */
void kma_shmring_push(struct kma_shmring *ring);

/**
 * kma_shmring_take() - the next full slot, in the parent
 * @ring: the ring
 * @wait_ms: for how long to wait
 *
 * Return: the slot, NULL when none came in that time.
 */
void *kma_shmring_take(struct kma_shmring *ring, unsigned int wait_ms);

/**
 * kma_shmring_pop() - the slot is empty again, in the parent
 * @ring: kma_shmring_take() gave a slot
 */
void kma_shmring_pop(struct kma_shmring *ring);

/**
 * kma_shmring_stop() - ask the child to end, in the parent
 * @ring: the ring
 */
void kma_shmring_stop(struct kma_shmring *ring);

/**
 * kma_shmring_stopped() - is the child to end?
 * @ring: the ring
 *
 * Return: true after kma_shmring_stop().
 */
bool kma_shmring_stopped(const struct kma_shmring *ring);

#endif /* KMA_LIB_SHMRING_H */

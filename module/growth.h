/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * growth.h - the worker that lets the live map grow.
 *
 * A probe that finds the live map crowded must not allocate, and must not even wake a
 * worker, because the scheduler's locks may be held. It queues an irq_work, which queues
 * the worker, which allocates. The worker has the priority of the kernel's most urgent work
 * items: until it runs, allocations take what the map has to spare, and what comes after that
 * is lost. One request stands until the worker is done with it. When
 * memory is refused, the worker runs again after a second. When the map has its full
 * size, no probe asks again.
 *
 * Locking: the worker takes kma_serial_lock().
 */
#ifndef KMA_GROWTH_H
#define KMA_GROWTH_H

#include <linux/types.h>

/**
 * kma_growth_wake() - ask for growth, for kma_live_init()
 *
 * Context: any but NMI, irqs off.
 */
void kma_growth_wake(void);

/**
 * kma_growth_asked() - does a request for growth stand, that may be granted?
 *
 * Context: any.
 * Return: true from kma_growth_wake() until the worker begins. False while memory is refused:
 * what the map gives back may be what growth lacks.
 */
bool kma_growth_asked(void);

/**
 * kma_growth_allow() - let events ask for growth, or not
 * @on: false while there are no work queues
 *
 * Context: process, may sleep.
 */
void kma_growth_allow(bool on);

/**
 * kma_growth_start() - let the worker run once, in case a request was not let through
 *
 * The first time, it gets a work queue of its own.
 *
 * Context: process, may sleep; serialised by the caller.
 */
void kma_growth_start(void);

/**
 * kma_growth_settle() - wait for the growth that events have asked for
 *
 * Events go on, and may ask again.
 *
 * Context: process, may sleep; kma_serial_lock() is not held.
 */
void kma_growth_settle(void);

/**
 * kma_growth_stop() - wait until the worker does not run any more
 *
 * Context: process, may sleep. No event asks for growth any more.
 */
void kma_growth_stop(void);

#endif /* KMA_GROWTH_H */

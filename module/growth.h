/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * growth.h - the worker that lets the live map grow.
 *
 * An event that finds the live map crowded must not allocate. It must not even wake a worker,
 * because the scheduler's locks may be held. It queues an irq_work, which queues the worker,
 * which allocates. The worker has the priority of the kernel's most urgent work items: until
 * it runs, allocations use the spare memory of the map, and events after that are lost. A
 * request stays set until the worker has served it. If memory is refused, the worker runs
 * again after a second. When the map has its full size, no event requests growth.
 *
 * Some steps must not be done before a grace period has ended, and old mappings stay until
 * then (area.h). The worker does not wait for that, because allocations go on, and the map needs
 * spare memory meanwhile: a second work item waits, without a lock, and then queues the worker. So
 * the grace period need not be expedited, which would interrupt all CPUs.
 *
 * The worker also lets the tables of classes grow, but does not wait for a CPU that goes online or
 * offline: it tries again 50 times a second. Under hotplug without a pause, the tables may thus
 * grow late, and events that find no class are dropped and counted.
 *
 * Locking: both work items take kma_serial_lock_map().
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_GROWTH_H
#define KMA_GROWTH_H

#include <linux/types.h>

/* Request growth; the callback that kma_live_init() is given. Any context but NMI, irqs off. */
void kma_growth_wake(void);

/*
 * Is a request for growth set that may be served? True from kma_growth_wake() until the worker
 * begins. False while memory is refused: memory that the map releases may then be what growth
 * needs. Any context.
 */
bool kma_growth_asked(void);

/* Ignore requests for growth while there are no work queues. */
void kma_growth_allow(bool on);

/*
 * Run the worker once, in case a request was ignored. The first call creates the work queue of the
 * worker. Serialised by the caller.
 */
void kma_growth_start(void);

/*
 * Wait for the growth that events have requested. Events continue, and may request growth again.
 * kma_serial_lock() is not held.
 */
void kma_growth_settle(void);

/*
 * Wait for a grace period, if there is an old mapping or a step that waits. kma_serial_lock_map()
 * is not held.
 */
void kma_growth_pass(void);

/* Stop the worker and wait for it. No event requests growth. */
void kma_growth_stop(void);

#endif /* KMA_GROWTH_H */

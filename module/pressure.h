/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pressure.h - releases memory of the live map: slowly, or at once when memory is short.
 *
 * A deferrable work item, which wakes no idle CPU, checks every four seconds how much of the
 * map is not needed (live.h), and releases it. So the map shrinks some seconds after its
 * objects are freed. It looks for some microseconds in each jiffy, so a look takes a second for
 * 32,000 pages with objects (HZ 250). A shrinker reports to the kernel how much the map could
 * release: what the last check found, or all pages of the map if that check was a second ago. When
 * the kernel requests that, the work item runs at once, and also releases the reserve that it would
 * keep for a varying load. The shrinker itself releases nothing: an array is released
 * after grace periods, for which reclaim must not wait.
 *
 * Memory that events may still use is released after a grace period. The work item waits for it
 * without the mutexes, so the map can grow meanwhile, and nobody waits for the work item, so the
 * grace period is not expedited.
 *
 * Never done here: releasing memory while events wait for growth.
 *
 * Locking: the work item takes kma_serial_lock(), the shrinker takes none.
 */
#ifndef KMA_PRESSURE_H
#define KMA_PRESSURE_H

/*
 * Start the work item, and register the shrinker if it can be allocated. Further calls have no
 * effect. Context: process, may sleep; with kma_serial_lock() held.
 */
void kma_pressure_start(void);

/* Stop both, and wait for them. Context: process, may sleep; kma_serial_lock() is not held. */
void kma_pressure_stop(void);

#endif /* KMA_PRESSURE_H */

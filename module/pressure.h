/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pressure.h - gives memory of the live map back: slowly, or soon when memory is short.
 *
 * A deferrable work item, which wakes no idle machine, looks every four seconds how much of
 * the map is not needed (resize.h). So the map is small again some seconds after its objects
 * have gone. A shrinker tells the kernel how much the map could give back. When the kernel
 * asks for that, the work item runs at once, and also gives back what it would keep for a
 * load that comes and goes. The shrinker itself releases nothing: to map what stays,
 * memory has to be allocated, which must not be done where memory is reclaimed.
 *
 * Never done here: nothing while events wait for growth; growth comes first.
 *
 * Locking: the work item takes kma_serial_lock(), the shrinker takes none.
 */
#ifndef KMA_PRESSURE_H
#define KMA_PRESSURE_H

/**
 * kma_pressure_start() - begin to give back memory
 *
 * Without memory for a shrinker, the work item alone does so. Nothing is done the second time.
 *
 * Context: process, may sleep; with kma_serial_lock() held.
 */
void kma_pressure_start(void);

/**
 * kma_pressure_stop() - wait until nothing is given back any more
 *
 * Context: process, may sleep; kma_serial_lock() is not held.
 */
void kma_pressure_stop(void);

#endif /* KMA_PRESSURE_H */

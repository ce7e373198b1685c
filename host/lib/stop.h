/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stop.h - end a command in order when a signal comes: it sets a flag, and ends waits.
 *
 * Locking: one thread catches and waits; each may read the flag.
 */
#ifndef KMA_LIB_STOP_H
#define KMA_LIB_STOP_H

#include <stdbool.h>
#include <stdint.h>

/* Not 0 after a signal. */
extern int kma_stop;

static inline bool kma_stopped(void)
{
	return __atomic_load_n(&kma_stop, __ATOMIC_RELAXED);
}

/*
 * Lets SIGINT, SIGTERM and SIGHUP set the flag; @all: each signal that ends the program and can be
 * caught. One that is ignored stays so: nohup(1) is to have an effect.
 */
void kma_stop_catch(bool all);

/* Restores what these signals did before. */
void kma_stop_release(void);

/*
 * Waits until a time of CLOCK_MONOTONIC, in ns, or a signal. A signal that comes just before the
 * wait is noticed within a second.
 */
void kma_stop_wait(uint64_t until);

/*
 * Waits for the next of the times that are an interval apart. @next: the last one; those that have
 * passed are left out.
 */
void kma_stop_wait_next(uint64_t interval, uint64_t *next);

#endif /* KMA_LIB_STOP_H */

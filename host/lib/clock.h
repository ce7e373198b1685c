/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - clocks as one number: ns.
 */
#ifndef KMA_LIB_CLOCK_H
#define KMA_LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

#define KMA_NS_PER_S 1000000000ULL

/* The present time of a clock, as CLOCK_MONOTONIC, in ns. */
static inline uint64_t kma_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * KMA_NS_PER_S + now.tv_nsec;
}

#endif /* KMA_LIB_CLOCK_H */

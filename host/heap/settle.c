// SPDX-License-Identifier: GPL-2.0-only
/*
 * settle.c - go on after a wait without holding up others.
 */
#include <unistd.h>

#include "lib/clock.h"
#include "settle.h"

#define KMA_SETTLE_PIECE 10000	 /* ns of computing: the most that others wait */
#define KMA_SETTLE_NAP	 50000	 /* ns: time in which others get something done */
#define KMA_SETTLE_CPU	 4000000 /* ns that the scheduler gives on one CPU */
#define KMA_SETTLE_MOST	 4	 /* times that on eight CPUs or more */

void kma_settle(uint64_t slept)
{
	const struct timespec nap = { .tv_nsec = KMA_SETTLE_NAP };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t left = KMA_SETTLE_CPU, begin, spent;

	/* the kernel's factor: 1 + ilog2(CPUs) */
	for (int times = 1; times < KMA_SETTLE_MOST && cpus >> times; times++)
		left += KMA_SETTLE_CPU;
	if (left > slept)
		left = slept;
	for (; left; left -= spent < left ? spent : left) {
		begin = kma_clock(CLOCK_MONOTONIC);
		do
			spent = kma_clock(CLOCK_MONOTONIC) - begin;
		while (spent < KMA_SETTLE_PIECE);
		nanosleep(&nap, NULL);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-ticks.h - convert the clock of an event log to ns. Only for log*.c.
 *
 * Logs of version 1 count ns. Those of version 2 have raw values of the machine's counter, which
 * has a rate of its own. The ticks since the start of the log are multiplied in 128 bits, so
 * that no uptime causes an overflow, and added to CLOCK_MONOTONIC at that time. The order of events
 * does not change, and equal times stay equal.
 *
 * The factor has 64 significant bits and is rounded up, the result is rounded down. The error of
 * the factor is therefore below 1 ns for each time that 64 bits of ns can hold, and whole ns stay
 * whole.
 *
 * Locking: none; the structure does not change after kma_log_ticks_init().
 */
#ifndef KMA_LOG_LOG_TICKS_H
#define KMA_LOG_LOG_TICKS_H

#include <stdint.h>

struct kma_log_ticks {
	uint64_t start; /* value of the counter at the start of the log */
	uint64_t mono;	/* ns of CLOCK_MONOTONIC at that time */
	uint64_t mult;	/* ns in a tick, times 2 to the power of @shift; 0: the log counts ns */
	unsigned int shift;
};

/*
 * @start is the counter and @mono the ns of CLOCK_MONOTONIC at the start of the log. @rate: ticks
 * in a second, not 0.
 */
void kma_log_ticks_init(struct kma_log_ticks *ticks, uint64_t start, uint64_t mono, uint64_t rate);

/* ns, rounded down; 0 or UINT64_MAX if 64 bits cannot hold the time, in a corrupt log. */
uint64_t kma_log_ticks_far(const struct kma_log_ticks *ticks, uint64_t time);

/* The same for a time of any log: zeroed @ticks are those of one that counts ns. */
static inline uint64_t kma_log_ticks_ns(const struct kma_log_ticks *ticks, uint64_t time)
{
	return ticks->mult ? kma_log_ticks_far(ticks, time) : time;
}

#endif /* KMA_LOG_LOG_TICKS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-ticks.h - ns of the clock of an event log. Only for log*.c.
 *
 * Logs of version 1 count ns. Those of version 2 have raw values of the machine's counter, which
 * has a rate of its own. The ticks since the log was switched on are multiplied in 128 bits, so
 * that no uptime causes an overflow, and added to CLOCK_MONOTONIC at that time. The order of events
 * does not change, and equal times stay equal.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_TICKS_H
#define KMA_LOG_LOG_TICKS_H

#include <stdint.h>

struct kma_log_ticks {
	uint64_t start; /* of the counter */
	uint64_t mono;	/* ns, at that time */
	uint64_t mult;	/* ns for each unit, times 2 to the power of @shift; 0: units are ns */
	unsigned int shift;
};

/**
 * kma_log_ticks_init() - prepare the conversion for a rate
 * @ticks: owned by the caller
 * @start: value of the counter when the log was switched on
 * @mono: ns at that time
 * @rate: units in a second; not 0
 */
void kma_log_ticks_init(struct kma_log_ticks *ticks, uint64_t start, uint64_t mono, uint64_t rate);

/**
 * kma_log_ticks_far() - convert a value of the counter to ns
 * @ticks: initialised
 * @time: value of the counter
 *
 * Return: ns, rounded down; 0 or UINT64_MAX for values outside the range, in a corrupt log.
 */
uint64_t kma_log_ticks_far(const struct kma_log_ticks *ticks, uint64_t time);

/**
 * kma_log_ticks_ns() - convert a time of a log to ns
 * @ticks: initialised, or zeroed: then units are ns
 * @time: in units of the log
 *
 * Return: ns, see kma_log_ticks_far().
 */
static inline uint64_t kma_log_ticks_ns(const struct kma_log_ticks *ticks, uint64_t time)
{
	return ticks->mult ? kma_log_ticks_far(ticks, time) : time;
}

#endif /* KMA_LOG_LOG_TICKS_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-ticks.c - convert the clock of an event log to ns.
 */
#include "lib/clock.h"
#include "log-ticks.h"

void kma_log_ticks_init(struct kma_log_ticks *ticks, uint64_t start, uint64_t mono, uint64_t rate)
{
	unsigned __int128 mult = KMA_NS_PER_S;

	*ticks = (struct kma_log_ticks){ .start = start, .mono = mono };
	/* The largest shift for which the factor fits into 64 bits gives the smallest error. */
	while (ticks->shift < 96 && mult * 2 / rate <= UINT64_MAX) {
		mult *= 2;
		ticks->shift++;
	}
	/* Round up: a factor that is too small would turn a whole number of ns into one less. */
	ticks->mult = (mult + rate - 1) / rate > UINT64_MAX ? UINT64_MAX : (mult + rate - 1) / rate;
}

uint64_t kma_log_ticks_far(const struct kma_log_ticks *ticks, uint64_t time)
{
	uint64_t since = time < ticks->start ? ticks->start - time : time - ticks->start;
	unsigned __int128 ns = ((unsigned __int128)since * ticks->mult) >> ticks->shift;

	if (time < ticks->start)
		return ns < ticks->mono ? ticks->mono - (uint64_t)ns : 0;
	ns += ticks->mono;
	return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

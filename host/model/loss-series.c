// SPDX-License-Identifier: GPL-2.0-only
/*
 * loss-series.c - the events lost in each interval of a series of snapshots.
 */
#include "loss-series.h"

void kma_loss_series_add(struct kma_loss_series *series, bool said, uint64_t events, bool begins)
{
	uint64_t more;

	if (begins) {
		series->last = 0;
		series->known = false;
	}
	if (!said)
		return;
	more = events < series->last ? events : events - series->last;
	series->all += more;
	if (series->known || begins)
		series->since += more;
	series->last = events;
	series->known = true;
}

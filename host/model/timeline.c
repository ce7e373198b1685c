// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline.c - live bytes of each call site of an account at several times.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "timeline.h"

void kma_timeline_destroy(struct kma_timeline *timeline)
{
	if (!timeline)
		return;
	for (size_t i = 0; i < timeline->nr; i++)
		free(timeline->samples[i].bytes);
	free(timeline->samples);
	free(timeline->rows);
	kma_account_destroy(timeline->account);
	free(timeline);
}

struct kma_timeline_sample *kma_timeline_add(struct kma_timeline *timeline, uint32_t nr,
					     uint64_t ns)
{
	struct kma_timeline_sample sample = { .nr = nr, .ns = ns };

	kma_array_room(timeline->samples, timeline->nr, timeline->room);
	sample.bytes = kma_xcalloc(nr + 1, sizeof(*sample.bytes));
	timeline->samples[timeline->nr++] = sample;
	return &timeline->samples[timeline->nr - 1];
}

uint64_t kma_timeline_bytes(const struct kma_timeline *timeline, size_t point, size_t row)
{
	const struct kma_timeline_sample *sample = &timeline->samples[point];
	uint32_t site = timeline->rows[row];

	return site < sample->nr ? sample->bytes[site] : 0;
}

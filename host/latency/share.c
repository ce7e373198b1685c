// SPDX-License-Identifier: GPL-2.0
/*
 * share.c - what the time of allocations went to. What has ended in a task waits until the next
 * allocation of the task ends, and is of it if it began in its time. Tracepoints have whole
 * microseconds: parts that are longer than the whole are cut to it.
 */
#include "share.h"

const char *const kma_lat_share_names[KMA_LAT_NR_SHARES] = {
	"direct_reclaim",
	"shrink",
	"compaction",
	"rest",
};

void kma_lat_share_ended(struct kma_lat_task *task, enum kma_lat_cause cause, uint64_t begin,
			 uint64_t took)
{
	if (task->nr_past == KMA_LAT_MAX_PAST) {
		task->nr_past--;
		memmove(task->past, task->past + 1, task->nr_past * sizeof(*task->past));
	}
	task->past[task->nr_past++] = (struct kma_lat_past){ cause, begin, took };
}

/* Is it within a direct reclaim? That ends behind it, so it is a later one of the past. */
static bool kma_lat_share_within(const struct kma_lat_task *task, unsigned int i)
{
	const struct kma_lat_past *inner = &task->past[i];

	for (i++; i < task->nr_past; i++)
		if (task->past[i].cause == KMA_LAT_RECLAIM && task->past[i].begin <= inner->begin)
			return true;
	return false;
}

void kma_lat_share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		       const struct kma_lat_line *line)
{
	static const enum kma_lat_share shares[KMA_LAT_NR_CAUSES] = {
		[KMA_LAT_ALLOC] = KMA_LAT_IN_REST,
		[KMA_LAT_RECLAIM] = KMA_LAT_IN_RECLAIM,
		[KMA_LAT_COMPACT] = KMA_LAT_IN_COMPACT,
		[KMA_LAT_SHRINK] = KMA_LAT_IN_SHRINK,
	};
	uint64_t parts[KMA_LAT_NR_SHARES] = { 0 }, left = line->duration;

	/* f(); is stamped where it began, and has nothing in it. */
	bool within = line->has_time && line->what == KMA_LAT_EXIT;

	for (unsigned int i = 0; i < task->nr_past && within; i++) {
		const struct kma_lat_past *past = &task->past[i];

		/* One microsecond: what is rounded down may seem to be earlier. */
		if (past->begin + line->duration + 1000 < line->time)
			continue;
		parts[shares[past->cause]] += past->took;
		if (past->cause == KMA_LAT_SHRINK && kma_lat_share_within(task, i))
			parts[KMA_LAT_IN_RECLAIM] -= past->took;
	}
	task->nr_past = 0;
	/* A shrinker that began within and ended behind its reclaim makes it less than nothing. */
	if (parts[KMA_LAT_IN_RECLAIM] > INT64_MAX)
		parts[KMA_LAT_IN_RECLAIM] = 0;
	for (unsigned int i = 0; i < KMA_LAT_IN_REST; i++) {
		parts[i] = parts[i] < left ? parts[i] : left;
		left -= parts[i];
		sums->shares[i] += parts[i];
	}
	sums->shares[KMA_LAT_IN_REST] += left;
}

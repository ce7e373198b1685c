// SPDX-License-Identifier: GPL-2.0-only
/*
 * share.c - divide the time of an allocation among its causes. Tracepoints have whole microseconds,
 * so the sum of parts may exceed the whole; it is then limited to the whole.
 */
#include "share.h"

const char *const kma_lat_share_names[KMA_LAT_NR_SHARES] = {
	"direct_reclaim", "memcg_reclaim", "shrink", "compaction", "waiting", "interrupts", "rest",
};

/* The shares whose tracepoints the log may lack, and their causes. */
static const struct {
	enum kma_lat_cause cause;
	const char *needs;
} kma_lat_recorded[KMA_LAT_NR_SHARES] = {
	[KMA_LAT_IN_RECLAIM] = { KMA_LAT_RECLAIM, "vmscan:mm_vmscan_direct_reclaim_*" },
	[KMA_LAT_IN_SHRINK] = { KMA_LAT_SHRINK, "vmscan:mm_shrink_slab_*" },
	[KMA_LAT_IN_COMPACT] = { KMA_LAT_COMPACT, "compaction:mm_compaction_*" },
};

/* Has the log a tracepoint of any cause? */
static bool kma_lat_has_events(const struct kma_lat_sums *sums)
{
	for (unsigned int i = 0; i < KMA_LAT_NR_CAUSES; i++)
		if (sums->events[i])
			return true;
	return false;
}

const char *kma_lat_share_needs(const struct kma_lat_sums *sums, enum kma_lat_share share)
{
	enum kma_lat_cause cause = kma_lat_recorded[share].cause;

	if (!kma_lat_recorded[share].needs)
		return NULL;
	/* a function that has the tracepoint ran, but the tracepoint is missing */
	if (!kma_lat_has_events(sums) || (!sums->events[cause] && sums->functions[cause]))
		return kma_lat_recorded[share].needs;
	return sums->timed ? NULL : "the trace option funcgraph-abstime";
}

bool kma_lat_share_known(const struct kma_lat_sums *sums, enum kma_lat_share share)
{
	if (kma_lat_share_needs(sums, share))
		return false;
	switch (share) {
	case KMA_LAT_IN_MEMCG:
		return sums->causes[KMA_LAT_MEMCG].calls;
	case KMA_LAT_IN_WAIT:
		return sums->switches;
	case KMA_LAT_IN_INTERRUPT:
		return sums->interrupts;
	default:
		return true;
	}
}

void kma_lat_share_ended(struct kma_lat_task *task, unsigned int cause, uint64_t begin,
			 uint64_t took)
{
	if (task->nr_past == KMA_LAT_MAX_PAST) {
		task->nr_past /= 2;
		memmove(task->past, task->past + KMA_LAT_MAX_PAST - task->nr_past,
			task->nr_past * sizeof(*task->past));
	}
	task->past[task->nr_past++] = (struct kma_lat_past){ cause, begin, took };
}

/* The share of each cause. */
static const enum kma_lat_share kma_lat_shares[] = {
	[KMA_LAT_ALLOC] = KMA_LAT_IN_REST,	    [KMA_LAT_RECLAIM] = KMA_LAT_IN_RECLAIM,
	[KMA_LAT_MEMCG] = KMA_LAT_IN_MEMCG,	    [KMA_LAT_COMPACT] = KMA_LAT_IN_COMPACT,
	[KMA_LAT_SHRINK] = KMA_LAT_IN_SHRINK,	    [KMA_LAT_OFF_CPU] = KMA_LAT_IN_WAIT,
	[KMA_LAT_INTERRUPT] = KMA_LAT_IN_INTERRUPT,
};

/*
 * Find the reclaim that contains a run of a shrinker. The reclaim ends after the run, so it is a
 * later entry of the past. Return KMA_LAT_IN_REST if there is none.
 */
static enum kma_lat_share kma_lat_share_around(const struct kma_lat_task *task, unsigned int i)
{
	const struct kma_lat_past *inner = &task->past[i];

	for (i++; i < task->nr_past; i++) {
		unsigned int cause = task->past[i].cause;

		if ((cause == KMA_LAT_RECLAIM || cause == KMA_LAT_MEMCG) &&
		    task->past[i].begin <= inner->begin)
			return kma_lat_shares[cause];
	}
	return KMA_LAT_IN_REST;
}

void kma_lat_share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		       const struct kma_lat_line *line)
{
	uint64_t parts[KMA_LAT_NR_SHARES] = { 0 }, left = line->duration;
	struct kma_lat_past earlier[KMA_LAT_MAX_PAST];
	unsigned int nr_earlier = 0;

	/* "f();" has the time of its start, and contains no wait. */
	bool within = line->has_time && line->what == KMA_LAT_EXIT;

	for (unsigned int i = 0; i < task->nr_past && within; i++) {
		const struct kma_lat_past *past = &task->past[i];

		/*
		 * One microsecond of tolerance: a time that was rounded down may seem to be
		 * earlier. An earlier wait may belong to an allocation that contains this one.
		 */
		if (past->begin + line->duration + 1000 < line->time) {
			earlier[nr_earlier++] = *past;
			continue;
		}
		parts[kma_lat_shares[past->cause]] += past->took;
		if (past->cause == KMA_LAT_SHRINK)
			parts[kma_lat_share_around(task, i)] -= past->took;
	}
	if (within) {
		memcpy(task->past, earlier, nr_earlier * sizeof(*earlier));
		task->nr_past = nr_earlier;
	}
	for (unsigned int i = 0; i < KMA_LAT_IN_REST; i++) {
		/*
		 * The part is negative if a run of a shrinker began within its reclaim and ended
		 * after it.
		 */
		if (parts[i] > INT64_MAX)
			parts[i] = 0;
		parts[i] = parts[i] < left ? parts[i] : left;
		left -= parts[i];
		sums->shares[i] += parts[i];
	}
	sums->shares[KMA_LAT_IN_REST] += left;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * share.h - divide the time of an allocation among its causes.
 *
 * Each wait that has ended is stored with its task ("past"). When an allocating function ends, the
 * waits that began during it are its causes. The causes of all allocations are summed up; with the
 * rest they add up to the time of all allocations.
 *
 * A run of a shrinker is inside a reclaim, and counts as KMA_LAT_IN_SHRINK only: it is subtracted
 * from the reclaim that contains it. Time off the CPU and interrupts count only outside other
 * waits.
 *
 * A task stores at most KMA_LAT_MAX_PAST waits. If there are more, the older half is dropped, and
 * its time becomes part of the rest.
 */
#ifndef KMA_LATENCY_SHARE_H
#define KMA_LATENCY_SHARE_H

#include "sums.h"

/* Names of the shares, for scripts. */
extern const char *const kma_lat_share_names[KMA_LAT_NR_SHARES];

/**
 * kma_lat_share_needs() - find out what a log lacks for a share
 * @sums: of the analysis
 * @share: the share
 *
 * Tracepoints count as recorded if the log has one of them, or if it has those of other causes and
 * no call of a function that contains them. Their share is then 0 if there is none.
 *
 * Return: the missing tracepoints, or the missing trace option; NULL for memory cgroups, waiting,
 * interrupts and the rest, and if nothing is missing.
 */
const char *kma_lat_share_needs(const struct kma_lat_sums *sums, enum kma_lat_share share);

/**
 * kma_lat_share_known() - test whether a log can contain a share
 * @sums: of the analysis
 * @share: the share
 *
 * Return: false if kma_lat_share_needs() names something; and for memory cgroups, waiting and
 * interrupts if the log has none of their events. Their time is then part of the rest.
 */
bool kma_lat_share_known(const struct kma_lat_sums *sums, enum kma_lat_share share);

/**
 * kma_lat_share_ended() - store a wait that has ended, in case an allocation waited
 * @task: the task that waited
 * @cause: direct reclaim, reclaim of a memory cgroup, compaction, shrink; or KMA_LAT_OFF_CPU or
 *	KMA_LAT_INTERRUPT
 * @begin: time of its start, ns
 * @took: its duration, ns
 */
void kma_lat_share_ended(struct kma_lat_task *task, unsigned int cause, uint64_t begin,
			 uint64_t took);

/**
 * kma_lat_share_add() - add the causes of the time of an allocation that has ended
 * @sums: the shares are added here
 * @task: the task; the waits of this allocation are removed from its past
 * @line: the end of the function, with its duration
 */
void kma_lat_share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		       const struct kma_lat_line *line);

#endif /* KMA_LATENCY_SHARE_H */

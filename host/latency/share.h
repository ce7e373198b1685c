/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * share.h - divides the time of an allocation among its causes.
 */
#ifndef KMA_LATENCY_SHARE_H
#define KMA_LATENCY_SHARE_H

#include "sums.h"

extern const char *const kma_lat_share_names[KMA_LAT_NR_SHARES];

/**
 * kma_lat_share_known() - test whether a log can contain a share
 * @sums: of the analysis
 * @share: the share
 *
 * Return: false for memory cgroups, waiting and interrupts if the log has none of their events;
 * their time is then part of the rest.
 */
bool kma_lat_share_known(const struct kma_lat_sums *sums, enum kma_lat_share share);

/**
 * kma_lat_share_ended() - count a wait that has ended, if an allocation waited
 * @task: the task that waited
 * @cause: direct reclaim, of a memory cgroup, compaction, shrink; or KMA_LAT_OFF_CPU or
 *	KMA_LAT_INTERRUPT
 * @begin: time of its start, ns
 * @took: its duration, ns
 */
void kma_lat_share_ended(struct kma_lat_task *task, unsigned int cause, uint64_t begin,
			 uint64_t took);

/**
 * kma_lat_share_add() - add the causes of the time of an allocation that has ended
 * @sums: are added to
 * @task: the task; its past is cleared
 * @line: where the function ended
 */
void kma_lat_share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		       const struct kma_lat_line *line);

#endif /* KMA_LATENCY_SHARE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past-timeline.h - live bytes of each call site of a history folder, over time. reader/log-timeline.h
 * has the same of an event log.
 *
 * A sample of the history is a sample of the timeline, so there may be samples of several boots; a
 * site is the same in all of them if its text is.
 */
#ifndef KMA_SESSION_PAST_TIMELINE_H
#define KMA_SESSION_PAST_TIMELINE_H

#include "model/account.h"

struct kma_past_timeline;

/**
 * kma_past_timeline_read() - read the samples of an interval
 * @path: folder of a history
 * @from: as for kma_past_each()
 * @to: the same
 * @points: at most about as many samples, at equal distances
 * @ret: to be destroyed
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_timeline_read(const char *path, const char *from, const char *to,
				       unsigned long points, struct kma_past_timeline **ret);

/**
 * kma_past_timeline_destroy() - free it
 * @timeline: from kma_past_timeline_read(); NULL is fine
 */
void kma_past_timeline_destroy(struct kma_past_timeline *timeline);

/**
 * kma_past_timeline_account() - all sites that any sample has
 * @timeline: as read
 *
 * Return: the account, with the notes and losses of the first sample; it is the caller's from now
 * on.
 */
struct kma_account *kma_past_timeline_account(struct kma_past_timeline *timeline);

/**
 * kma_past_timeline_points() - how many samples there are
 * @timeline: as read
 *
 * Return: 1 and up.
 */
size_t kma_past_timeline_points(const struct kma_past_timeline *timeline);

/**
 * kma_past_timeline_ns() - when a sample was taken
 * @timeline: as read
 * @point: which one
 *
 * Return: ns since 1970; never less than that of the sample before.
 */
uint64_t kma_past_timeline_ns(const struct kma_past_timeline *timeline, size_t point);

/**
 * kma_past_timeline_bytes() - live bytes
 * @timeline: as read
 * @point: when
 * @row: of which site of the account, by place
 *
 * Return: bytes.
 */
uint64_t kma_past_timeline_bytes(const struct kma_past_timeline *timeline, size_t point,
				 size_t row);

#endif /* KMA_SESSION_PAST_TIMELINE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-timeline.h - live bytes of each call site of an event log, over time. Samples are at equal
 * intervals. The final interval is unknown until the log ends, so it starts with a microsecond, and
 * doubles whenever there are too many samples.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_TIMELINE_H
#define KMA_READER_LOG_TIMELINE_H

#include "input/input.h"
#include "model/account.h"

struct kma_timeline;

/**
 * kma_timeline_read() - read a log
 * @input: nothing was taken yet; samples are of its interval
 * @points: so many samples at least, if the log is long enough; up to twice as many
 * @ret: to be destroyed
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_timeline_read(struct kma_input *input, unsigned int points,
				  struct kma_timeline **ret);

/**
 * kma_timeline_destroy() - free it
 * @timeline: from kma_timeline_read(); NULL is fine
 */
void kma_timeline_destroy(struct kma_timeline *timeline);

/**
 * kma_timeline_account() - the account at the end
 * @timeline: as read
 *
 * Return: the account; it is the caller's from now on.
 */
struct kma_account *kma_timeline_account(struct kma_timeline *timeline);

/**
 * kma_timeline_points() - how many samples there are
 * @timeline: as read
 *
 * Return: 1 and up.
 */
size_t kma_timeline_points(const struct kma_timeline *timeline);

/**
 * kma_timeline_ns() - when a sample was taken
 * @timeline: as read
 * @point: which one
 *
 * Return: ns since the log began; it has the events before that time. The last sample is of
 * the end of the log, and may be nearer to the one before.
 */
uint64_t kma_timeline_ns(const struct kma_timeline *timeline, size_t point);

/**
 * kma_timeline_bytes() - live bytes
 * @timeline: as read
 * @point: when
 * @row: of which site of the account, by place
 *
 * Return: bytes.
 */
uint64_t kma_timeline_bytes(const struct kma_timeline *timeline, size_t point, size_t row);

#endif /* KMA_READER_LOG_TIMELINE_H */

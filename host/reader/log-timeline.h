/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-timeline.h - live bytes of each call site of an event log, over time.
 *
 * The length of a log is unknown until it was read. Samples therefore start one microsecond apart.
 * Whenever there are twice as many as requested, every second one is dropped and the interval
 * doubles. All remaining samples are at equal distances, except the last one, which is at the end
 * of the log. A sample has 8 bytes for each call site that was known at its time.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_TIMELINE_H
#define KMA_READER_LOG_TIMELINE_H

#include "input/input.h"
#include "model/timeline.h"

/**
 * kma_timeline_read() - read the samples of an event log
 * @input: nothing was consumed yet; samples are taken in its interval
 * @points: the requested number of samples, at least 1. A long log has this number or up to twice
 *	as many, and one more at its end; a short one may have fewer
 * @ret: the samples, for kma_timeline_destroy(); unchanged after an error. Times are ns since the
 *	log began. A sample includes all events before its time
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_timeline_read(struct kma_input *input, unsigned int points,
				  struct kma_timeline **ret);

#endif /* KMA_READER_LOG_TIMELINE_H */

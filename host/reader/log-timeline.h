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

/*
 * Samples the interval of an input of which nothing was consumed. A long log has @points samples or
 * up to twice as many, and one more at its end; a short one may have fewer. Times are ns since the
 * log began, and a sample includes all events before its time. @ret is unchanged after an error.
 */
struct kma_err *kma_timeline_read(struct kma_input *input, unsigned int points,
				  struct kma_timeline **ret);

#endif /* KMA_READER_LOG_TIMELINE_H */

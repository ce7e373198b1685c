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
#include "model/timeline.h"

/**
 * kma_timeline_read() - read a log
 * @input: nothing was taken yet; samples are of its interval
 * @points: so many samples at least, if the log is long enough; up to twice as many
 * @ret: to be given to kma_timeline_destroy(). Times are ns since the log began; a sample has the
 *	events before its time. The last one is of the end of the log, and may be nearer to the one
 *	before
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_timeline_read(struct kma_input *input, unsigned int points,
				  struct kma_timeline **ret);

#endif /* KMA_READER_LOG_TIMELINE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past-timeline.h - read the live bytes of each call site over time from a history directory.
 * reader/log-timeline.h does so from an event log.
 *
 * Each sample of the history is a sample of the timeline. The samples may be of several boots. Two
 * samples have the same site if its text, its kind and its group are equal.
 */
#ifndef KMA_SESSION_PAST_TIMELINE_H
#define KMA_SESSION_PAST_TIMELINE_H

#include "model/timeline.h"
#include "open/open.h"

/**
 * kma_past_timeline_read() - read the samples of an interval
 * @series: has a history; from, to, max and groups of its wish say which samples
 * @ret: to be freed by kma_timeline_destroy(). Its account has all sites of all samples, the notes
 *	of the first sample, and the sum of the losses of all accounts. Times are ns since 1970 and
 *	never decrease: if the clock was set back, the time stands still
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_timeline_read(struct kma_series *series, struct kma_timeline **ret);

#endif /* KMA_SESSION_PAST_TIMELINE_H */

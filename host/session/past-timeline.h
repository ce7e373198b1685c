/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past-timeline.h - live bytes of each call site of a history folder, over time. reader/log-timeline.h
 * reads the same from an event log.
 *
 * Each sample of the history is a sample of the timeline. The samples may be of several boots: a site
 * is the same in all of them if its text, its kind and its group are.
 */
#ifndef KMA_SESSION_PAST_TIMELINE_H
#define KMA_SESSION_PAST_TIMELINE_H

#include "lib/notes.h"
#include "model/timeline.h"
#include "past.h"

/**
 * kma_past_timeline_read() - read the samples of an interval
 * @wish: what to read, as for kma_past_each()
 * @ret: to be given to kma_timeline_destroy(). The account has all sites of all samples, the notes
 *	of the first sample, and the losses of all accounts that the samples are of. Times are ns
 *	since 1970, and never fall
 * @damage: as for kma_past_each()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_past_timeline_read(const struct kma_past_wish *wish, struct kma_timeline **ret,
				       struct kma_notes *damage);

#endif /* KMA_SESSION_PAST_TIMELINE_H */

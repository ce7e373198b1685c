/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * past.h - the samples of a history that a series has.
 */
#ifndef KMA_OPEN_PAST_H
#define KMA_OPEN_PAST_H

#include "series.h"

/* Opens the history of a series, unless it is open. */
struct kma_err *kma_past_open(struct kma_series *series);

/*
 * Reads the newest sample that is not after a time: that of the wish or of the name, or now. If it
 * cannot be read, the error also has the times of the nearest ones before and after it that can.
 */
struct kma_err *kma_past_one(struct kma_series *series, struct kma_account **ret);

/* The interval of a wish, ns since 1970. @newest: time of the newest sample. */
struct kma_err *kma_past_interval(const struct kma_series_wish *wish, uint64_t newest,
				  uint64_t *begin, uint64_t *end);

/* The first and the last sample of an interval of a history, ns since 1970. */
struct kma_past_ends {
	uint64_t begin, end;  /* the interval; @end is UINT64_MAX if it is open */
	uint64_t first, last; /* times of its first and last sample, which differ */
	size_t damaged; /* days that cannot be read and may have an earlier first or a later last */
};

/*
 * Finds the first and the last sample of the interval of a series' wish. Adds a note for a time
 * that the user gave and that no sample is near: it is farther away than two and a half times the
 * usual time between two samples. A day that cannot be read is not counted as damaged if it lies
 * between the two samples, or outside of the interval: it does not change which samples these are.
 * An error of kind KMA_ERR_NOT_FOUND means that the interval has no two samples of different times.
 */
struct kma_err *kma_past_find_ends(struct kma_series *series, struct kma_past_ends *ret);

#endif /* KMA_OPEN_PAST_H */

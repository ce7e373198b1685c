/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trend.h - does a short series of numbers rise, and how fast? Both tests look at the order or
 * at the median of pairs, so a few outliers do not change their answer. They take the square of
 * the number of values in time, and expect a few dozen values: the minima of blocks, not the
 * samples themselves. Never done here: to judge. leak.h has the verdicts.
 */
#ifndef KMA_MODEL_TREND_H
#define KMA_MODEL_TREND_H

#include <stddef.h>

#include "lib/err.h"

/* The slope of a series, with an interval that has the true slope 95 times in 100. */
struct kma_trend_slope {
	double slope; /* unit of the values per unit of the times */
	double low, high;
};

/**
 * kma_trend_z() - Mann and Kendall's test for a trend
 * @values: in the order of time
 * @nr: how many
 *
 * Mann, Econometrica 13 (1945); Kendall, Rank Correlation Methods (1975). Equal values are
 * taken into account in the variance, and 1 is taken off for continuity.
 *
 * Return: z: above 0 if the values rise, below 0 if they fall; 0 for fewer than 3 values or for
 * equal values.
 */
double kma_trend_z(const double *values, size_t nr);

/**
 * kma_trend_theil_sen() - the median of the slopes between all pairs
 * @times: one for each value
 * @values: in the order of time
 * @nr: how many
 * @ret: filled in; zeros if no two times differ
 *
 * Theil (1950); Sen, JASA 63 (1968), which also has the interval by ranks.
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_trend_theil_sen(const double *times, const double *values, size_t nr,
				    struct kma_trend_slope *ret);

#endif /* KMA_MODEL_TREND_H */

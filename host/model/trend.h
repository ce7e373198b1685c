/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trend.h - test whether a short series of numbers rises, and estimate its slope. Both functions
 * compare all pairs of values by their order or take a median, so a few outliers do not change the
 * result. Their time grows with the square of the number of values, so they are for a few dozen
 * values: the minima of blocks, not the samples themselves. The values are assumed to be
 * independent. Never done here: no verdict is given, see leak.h.
 */
#ifndef KMA_MODEL_TREND_H
#define KMA_MODEL_TREND_H

#include <stddef.h>

#include "lib/err.h"

/* The slope of a series, in units of the values per unit of the times. */
struct kma_trend_slope {
	double slope;
	double low, high; /* interval that contains the true slope with a probability of 95 % */
};

/**
 * kma_trend_z() - compute the score of Mann and Kendall's test for a trend
 * @values: in the order of time
 * @nr: number of values
 *
 * Mann, Econometrica 13 (1945); Kendall, Rank Correlation Methods (1975). The variance is corrected
 * for equal values, and the score for continuity.
 *
 * Return: z, in standard deviations: positive if the values rise, negative if they fall; 0 for
 * fewer than 3 values, or if all values are equal.
 */
double kma_trend_z(const double *values, size_t nr);

/**
 * kma_trend_theil_sen() - estimate the slope by the median of the slopes between all pairs
 * @times: time of each value
 * @values: in the order of time
 * @nr: number of values
 * @ret: filled in; zeros if no two times differ
 *
 * Theil (1950); Sen, JASA 63 (1968), who also gives the interval by ranks.
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_trend_theil_sen(const double *times, const double *values, size_t nr,
				    struct kma_trend_slope *ret);

#endif /* KMA_MODEL_TREND_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trend.h - test whether a series of numbers, in the order of time, rises, and estimate its slope.
 *
 * kma_trend_z() and kma_trend_theil_sen() compare all pairs of values by their order or take a
 * median, so a few outliers do not change the result. Their time grows with the square of the
 * number of values, so they are for a few dozen values: the minima of blocks, not the samples
 * themselves. Both assume that the values are independent; kma_trend_beside() does not.
 *
 * Never done here: no verdict is given, see leak.h.
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

/*
 * The score of Mann and Kendall's test for a trend, in standard deviations: positive if the values
 * rise; 0 for fewer than 3 values, or if all are equal. Mann, Econometrica 13 (1945); Kendall, Rank
 * Correlation Methods (1975). The variance is corrected for equal values, and the score for
 * continuity.
 */
double kma_trend_z(const double *values, size_t nr);

/*
 * The slope is the median of the slopes between all pairs; zeros if no two times differ. Theil
 * (1950); Sen, JASA 63 (1968), who also gives the interval by ranks.
 */
void kma_trend_theil_sen(const double *times, const double *values, size_t nr,
			 struct kma_trend_slope *ret);

/*
 * How fast @values rise with the series @with, apart from what they owe to the series @beside. If
 * the two series cannot be distinguished, the slope is 0, and its interval has no ends.
 *
 * Least squares of VALUE = constant + SLOPE * WITH + other slope * BESIDE, which are separated as
 * by Frisch and Waugh, Econometrica 1 (1933). The rest of one value resembles the rest of the value
 * before; the interval allows for this by the correlation of neighbours (Bartlett, JRSS 98, 1935).
 */
struct kma_trend_slope kma_trend_beside(const double *values, const double *with,
					const double *beside, size_t nr);

#endif /* KMA_MODEL_TREND_H */

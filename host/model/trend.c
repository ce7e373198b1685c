// SPDX-License-Identifier: GPL-2.0-only
/*
 * trend.c - Mann-Kendall and Theil-Sen.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "trend.h"

#define KMA_TREND_Z95 1.959964

static int kma_trend_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Number of pairs whose later value is larger, less the number of those whose later value is
 * smaller.
 */
static double kma_trend_score(const double *values, size_t nr)
{
	double score = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = i + 1; j < nr; j++)
			score += (values[j] > values[i]) - (values[j] < values[i]);
	return score;
}

/* Variance of the score of values without a trend. Each group of t equal values reduces it. */
static double kma_trend_variance(const double *values, size_t nr)
{
	double n = nr, sum = n * (n - 1) * (2 * n + 5);

	for (size_t i = 0; i < nr; i++) {
		double equal = 0;

		for (size_t j = 0; j < nr; j++)
			equal += values[j] == values[i];
		/* This is executed once for each of the t members of a group. */
		sum -= (equal - 1) * (2 * equal + 5);
	}
	return sum / 18;
}

double kma_trend_z(const double *values, size_t nr)
{
	double score, variance;

	if (nr < 3)
		return 0;
	score = kma_trend_score(values, nr);
	variance = kma_trend_variance(values, nr);
	if (!score || variance <= 0)
		return 0;
	return (score - (score > 0 ? 1 : -1)) / sqrt(variance);
}

struct kma_err *kma_trend_theil_sen(const double *times, const double *values, size_t nr,
				    struct kma_trend_slope *ret)
{
	_cleanup_free_ double *slopes = calloc(nr * nr / 2 + 1, sizeof(*slopes));
	size_t pairs = 0, off;
	double half;

	memset(ret, 0, sizeof(*ret));
	if (!slopes)
		return &kma_enomem;
	for (size_t i = 0; i < nr; i++)
		for (size_t j = i + 1; j < nr; j++)
			if (times[j] != times[i])
				slopes[pairs++] = (values[j] - values[i]) / (times[j] - times[i]);
	if (!pairs)
		return NULL;
	qsort(slopes, pairs, sizeof(*slopes), kma_trend_compare);
	ret->slope = (slopes[(pairs - 1) / 2] + slopes[pairs / 2]) / 2;
	half = KMA_TREND_Z95 * sqrt(fmax(kma_trend_variance(values, nr), 0));
	off = fmax((pairs - half) / 2, 0);
	ret->low = slopes[off];
	ret->high = slopes[pairs - 1 - off];
	return NULL;
}

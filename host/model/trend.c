// SPDX-License-Identifier: GPL-2.0-only
/*
 * trend.c - Mann-Kendall, Theil-Sen, and least squares of two series.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "trend.h"

#define KMA_TREND_Z95	1.959964
#define KMA_TREND_APART 1e-9 /* share of the squares by which two series have to differ */

static int trend_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Number of pairs whose later value is larger, less the number of those whose later value is
 * smaller.
 */
static double trend_score(const double *values, size_t nr)
{
	double score = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = i + 1; j < nr; j++)
			score += (values[j] > values[i]) - (values[j] < values[i]);
	return score;
}

/* Variance of the score of values without a trend. Each group of t equal values reduces it. */
static double trend_variance(const double *values, size_t nr)
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
	score = trend_score(values, nr);
	variance = trend_variance(values, nr);
	if (!score || variance <= 0)
		return 0;
	return (score - (score > 0 ? 1 : -1)) / sqrt(variance);
}

void kma_trend_theil_sen(const double *times, const double *values, size_t nr,
			 struct kma_trend_slope *ret)
{
	_cleanup_free_ double *slopes = kma_xcalloc(nr * nr / 2 + 1, sizeof(*slopes));
	size_t pairs = 0, off;
	double half;

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < nr; i++)
		for (size_t j = i + 1; j < nr; j++)
			if (times[j] != times[i])
				slopes[pairs++] = (values[j] - values[i]) / (times[j] - times[i]);
	if (!pairs)
		return;
	qsort(slopes, pairs, sizeof(*slopes), trend_compare);
	ret->slope = (slopes[(pairs - 1) / 2] + slopes[pairs / 2]) / 2;
	half = KMA_TREND_Z95 * sqrt(fmax(trend_variance(values, nr), 0));
	off = fmax((pairs - half) / 2, 0);
	ret->low = slopes[off];
	ret->high = slopes[pairs - 1 - off];
}

static double trend_mean(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return sum / nr;
}

/* Sum of the products of two series, each without its mean. */
static double trend_product(const double *a, const double *b, size_t nr)
{
	double mean_a = trend_mean(a, nr), mean_b = trend_mean(b, nr), sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (a[i] - mean_a) * (b[i] - mean_b);
	return sum;
}

struct kma_trend_slope kma_trend_beside(const double *values, const double *with,
					const double *beside, size_t nr)
{
	double ww = trend_product(with, with, nr), bb = trend_product(beside, beside, nr);
	double vw = trend_product(values, with, nr), vb = trend_product(values, beside, nr);
	double wb = trend_product(with, beside, nr), apart = ww * bb - wb * wb;
	double constant, slope, other, before = 0, squares = 0, pairs = 0, alike, half;

	if (nr < 4 || apart <= KMA_TREND_APART * ww * bb)
		return (struct kma_trend_slope){ 0, -INFINITY, INFINITY };
	slope = (vw * bb - vb * wb) / apart;
	other = (vb * ww - vw * wb) / apart;
	constant = trend_mean(values, nr) - slope * trend_mean(with, nr) -
		   other * trend_mean(beside, nr);
	for (size_t i = 0; i < nr; i++) {
		double left = values[i] - constant - slope * with[i] - other * beside[i];

		squares += left * left;
		pairs += left * before;
		before = left;
	}
	alike = squares > 0 ? fmin(fmax(pairs / squares, 0), 1 - 1.0 / nr) : 0;
	half = KMA_TREND_Z95 * sqrt(squares / (nr - 3) * bb / apart * (1 + alike) / (1 - alike));
	return (struct kma_trend_slope){ slope, slope - half, slope + half };
}

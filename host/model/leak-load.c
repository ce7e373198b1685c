// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-load.c - find out whether the load (the rate of allocations) explains the growth of a site.
 *
 * Live objects whose number follows the load are not a leak. There are two tests, by the length of
 * the objects' lives:
 *
 * - Short lives. The number of such objects follows each swing of the load, so a regression finds
 *   it. The growth is explained if the allocations themselves, as opposed to their rate, explain
 *   less than half of it (kma_leak_keeps()).
 * - Long lives. The number of such objects follows the rise of the load, but not its swings, so it
 *   remains unknown: all live objects may be of this kind. The growth is explained if the rise of
 *   the load is more than a third of the rise of live, each relative to its start
 *   (kma_leak_load_rise()).
 *
 * Limit: if a site holds much memory already, a leak is a rise by a small factor. It is then only
 * recognised if the load does not rise, as under "leaks --workload".
 */
#include <math.h>
#include <stdbool.h>

#include "leak-load.h"
#include "trend.h"

#define KMA_LEAK_LOAD	 0.1 /* least relative change of the rate of allocations */
#define KMA_LEAK_FOLLOWS 3.0 /* A rise of live below so many rises of the load may be its effect. */
#define KMA_LEAK_KEPT	 0.5 /* least share of the growth that the allocations explain */
#define KMA_LEAK_LARGER	 1.5 /* least growth of the size of objects that are resized */
#define KMA_LEAK_AS_MANY 1.1 /* least growth of their number that may be more than an accident */
#define KMA_LEAK_LIFE	 8   /* longest life, in samples, of objects that follow swings */

/* Means over the samples of some minima. */
struct kma_leak_mean {
	double live, objects, allocs;
};

static struct kma_leak_mean kma_leak_mean_of(const struct kma_leak_site *site, const size_t *places,
					     size_t nr)
{
	struct kma_leak_mean mean = { 0 };

	for (size_t i = 0; i < nr; i++) {
		mean.live += site->samples[places[i]].live / nr;
		mean.objects += site->samples[places[i]].objects / nr;
		mean.allocs += site->samples[places[i]].allocs / nr;
	}
	return mean;
}

/* Growth of live objects per allocation between two means; -1 without allocations. */
static double kma_leak_share(const struct kma_leak_mean *a, const struct kma_leak_mean *b)
{
	return b->allocs > a->allocs ? (b->objects - a->objects) / (b->allocs - a->allocs) : -1;
}

/* Allocations per second between two samples. */
static double kma_leak_rate(const struct kma_leak_site *site, size_t from, size_t to)
{
	const struct kma_leak_sample *a = &site->samples[from], *b = &site->samples[to];

	return b->time > a->time ? (b->allocs - a->allocs) / (b->time - a->time) : 0;
}

/*
 * Does the rate of allocations change? The rates are those of short windows, so that swings count.
 */
static bool kma_leak_load_changes(const struct kma_leak_site *site)
{
	double low = INFINITY, high = 0;

	for (size_t i = KMA_LEAK_MIN_BLOCK; i < site->nr; i += KMA_LEAK_MIN_BLOCK) {
		double rate = kma_leak_rate(site, i - KMA_LEAK_MIN_BLOCK, i);

		low = fmin(low, rate);
		high = fmax(high, rate);
	}
	return high > 0 && (high - low) / high > KMA_LEAK_LOAD;
}

/*
 * Rise of the rate of allocations between the first third of the series and the last, relative to
 * the rate in the first. It is extrapolated from the rates of the two halves. Samples in the middle
 * of a half have the largest weights (von Hann's window), because a swing that is cut off at the
 * end of a half would look like a rise.
 */
static double kma_leak_load_rise(const struct kma_leak_site *site)
{
	size_t half = (site->nr - 1) / 2, last = site->nr - 1 - half;
	double sums[2] = { 0 }, weights = 0, mid, step;

	for (size_t i = 0; i < half; i++) {
		double weight = pow(sin(M_PI * (i + 0.5) / half), 2);

		sums[0] += weight * kma_leak_rate(site, i, i + 1);
		sums[1] += weight * kma_leak_rate(site, last + i, last + i + 1);
		weights += weight;
	}
	/* The centres of the halves are 1/2 of the series apart, those of the thirds 2/3. */
	mid = (sums[0] + sums[1]) / 2;
	step = (sums[1] - sums[0]) * 2 / 3;
	return weights > 0 && mid > step ? 2 * step / (mid - step) : INFINITY;
}

/*
 * Test whether the allocations, and not their rate, explain most of the growth of live. The number
 * of live objects with short lives is proportional to the rate of allocations during such a life.
 * The length of a life is not known, so several are tried. @room: for three numbers of each sample.
 */
static bool kma_leak_keeps(const struct kma_leak_site *site, const struct kma_leak_mean *begin,
			   const struct kma_leak_mean *end, double *room)
{
	double *live = room, *allocs = live + site->nr, *rates = allocs + site->nr;
	double least = INFINITY;

	for (size_t i = 0; i < site->nr; i++) {
		live[i] = site->samples[i].live;
		allocs[i] = site->samples[i].allocs;
	}
	for (size_t life = 1; life <= KMA_LEAK_LIFE && life * KMA_LEAK_MIN_BLOCKS <= site->nr;
	     life *= 2) {
		for (size_t i = life; i < site->nr; i++)
			rates[i] = kma_leak_rate(site, i - life, i);
		least = fmin(least, kma_trend_beside(live + life, allocs + life, rates + life,
						     site->nr - life)
					    .low);
	}
	return least * (end->allocs - begin->allocs) > KMA_LEAK_KEPT * (end->live - begin->live);
}

/* Bytes of an object in each third, and whether only they rise, as those of arrays under krealloc(). */
static void kma_leak_sizes(const struct kma_leak_mean *means[3], struct kma_leak_evidence *ev)
{
	for (int i = 0; i < 3; i++)
		ev->sizes[i] = means[i]->objects > 0 ? means[i]->live / means[i]->objects : 0;
	ev->resized = ev->sizes[0] > 0 && ev->sizes[1] > ev->sizes[0] &&
		      ev->sizes[2] > ev->sizes[1] &&
		      ev->sizes[2] > KMA_LEAK_LARGER * ev->sizes[0] &&
		      means[2]->objects < KMA_LEAK_AS_MANY * means[0]->objects && !ev->falls &&
		      ev->slope.slope > ev->above;
}

void kma_leak_load(const struct kma_leak_site *site, const size_t *places, double *room,
		   struct kma_leak_evidence *ev)
{
	size_t third = ev->blocks / 3;
	struct kma_leak_mean begin, middle, end;
	double first, second;

	ev->leaked = ev->fading = -1;
	if (!site->has_allocs)
		return;
	begin = kma_leak_mean_of(site, places, third);
	middle = kma_leak_mean_of(site, places + third, ev->blocks - 2 * third);
	end = kma_leak_mean_of(site, places + ev->blocks - third, third);
	ev->leaked = kma_leak_share(&begin, &end);
	ev->grown = end.objects - begin.objects;
	ev->allocated = end.allocs - begin.allocs;
	kma_leak_sizes((const struct kma_leak_mean *[]){ &begin, &middle, &end }, ev);
	first = kma_leak_share(&begin, &middle);
	second = kma_leak_share(&middle, &end);
	if (first > 0)
		ev->fading = second > 0 ? second / first : 0;
	ev->load_changes = kma_leak_load_changes(site);
	/*
	 * The number of live objects with long lives follows the rise of the load, but not its
	 * swings. It is not known how many such objects there are, so the first test allows for all
	 * of live.
	 */
	ev->load_rise = kma_leak_load_rise(site);
	ev->live_rise = begin.live > 0 ? end.live / begin.live - 1 : INFINITY;
	ev->follows_load = begin.live > 0 && (ev->load_rise * KMA_LEAK_FOLLOWS > ev->live_rise ||
					      !kma_leak_keeps(site, &begin, &end, room));
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak.c - find the evidence in a series of samples, and give the verdict.
 *
 * Live bytes of a healthy site rise and fall with the load, and successive samples are not
 * independent. A test for a trend of the samples themselves therefore reports many healthy sites as
 * leaks (Documentation/design/bench.rst has the figures). The evidence is found in these steps:
 *
 * 1. Period. The line of least squares is subtracted. The period is the first high peak of the
 *    autocorrelation of the rest. A rest that is small compared with the rise has no period.
 * 2. Blocks. The series is divided into 8 to 12 blocks, each at least as long as the period; if it
 *    has fewer than 8 periods, the blocks overlap. Each block is represented by its minimum.
 * 3. Trend of the minima: Mann-Kendall and Theil-Sen (trend.h). A rise must be significant (z above
 *    3), steady in its slope or in most of its steps, above the floor, and continue in the last
 *    third.
 * 4. Load. The share of the allocations that stays live is computed for the first and the second
 *    half, between the means of the minima in each third. A leak keeps its share, a filling cache
 *    keeps ever less. If the rate of allocations rises as well, the load may explain the growth
 *    (below).
 * 5. Cohorts, if there are ages: objects that were allocated in the first half of the series and
 *    are never freed are a leak; a cache that fills leaves none, or ever fewer.
 *
 * 6. Doubt. Growth that none of these explains is no all-clear: minima that rise, but not steadily;
 *    few allocations of which none was freed; objects whose size rises, and not their number.
 *
 * kma_leak_rules is the table of verdicts; the first rule that fits gives the verdict. Thresholds
 * were chosen on synthetic series, and checked on others (tests/bench/leaks-judge.c).
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "leak-site.h"
#include "leak.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "trend.h"

/*
 * Find out whether the load explains the growth of a site: a step of leak.c.
 */

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

static struct kma_leak_mean leak_mean_of(const struct kma_leak_site *site, const size_t *places,
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
static double leak_share(const struct kma_leak_mean *a, const struct kma_leak_mean *b)
{
	return b->allocs > a->allocs ? (b->objects - a->objects) / (b->allocs - a->allocs) : -1;
}

/* Allocations per second between two samples. */
static double leak_rate(const struct kma_leak_site *site, size_t from, size_t to)
{
	const struct kma_leak_sample *a = &site->samples[from], *b = &site->samples[to];

	return b->time > a->time ? (b->allocs - a->allocs) / (b->time - a->time) : 0;
}

/*
 * Does the rate of allocations change? The rates are those of short windows, so that swings count.
 */
static bool leak_load_changes(const struct kma_leak_site *site)
{
	double low = INFINITY, high = 0;

	for (size_t i = KMA_LEAK_MIN_BLOCK; i < site->nr; i += KMA_LEAK_MIN_BLOCK) {
		double rate = leak_rate(site, i - KMA_LEAK_MIN_BLOCK, i);

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
static double leak_load_rise(const struct kma_leak_site *site)
{
	size_t half = (site->nr - 1) / 2, last = site->nr - 1 - half;
	double sums[2] = { 0 }, weights = 0, mid, step;

	for (size_t i = 0; i < half; i++) {
		double weight = pow(sin(M_PI * (i + 0.5) / half), 2);

		sums[0] += weight * leak_rate(site, i, i + 1);
		sums[1] += weight * leak_rate(site, last + i, last + i + 1);
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
static bool leak_keeps(const struct kma_leak_site *site, const struct kma_leak_mean *begin,
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
			rates[i] = leak_rate(site, i - life, i);
		least = fmin(least, kma_trend_beside(live + life, allocs + life, rates + life,
						     site->nr - life)
					    .low);
	}
	return least * (end->allocs - begin->allocs) > KMA_LEAK_KEPT * (end->live - begin->live);
}

/*
 * Bytes of an object in each third, and whether only they rise, as those of arrays under
 * krealloc().
 */
static void leak_sizes(const struct kma_leak_mean *means[3], struct kma_leak_evidence *ev)
{
	for (int i = 0; i < 3; i++)
		ev->sizes[i] = means[i]->objects > 0 ? means[i]->live / means[i]->objects : 0;
	ev->resized = ev->sizes[0] > 0 && ev->sizes[1] > ev->sizes[0] &&
		      ev->sizes[2] > ev->sizes[1] &&
		      ev->sizes[2] > KMA_LEAK_LARGER * ev->sizes[0] &&
		      means[2]->objects < KMA_LEAK_AS_MANY * means[0]->objects && !ev->falls &&
		      ev->slope.slope > ev->above;
}

/*
 * Computes the share of the allocations that stays, and whether load explains it: sets leaked,
 * fading, load_changes and follows_load of @ev, whose blocks are set. @places are the indexes of
 * the minima of the blocks, in the order of time. @room is scratch space for three numbers of each
 * sample. There are at least KMA_LEAK_MIN_SAMPLES samples.
 */
static void leak_load(const struct kma_leak_site *site, const size_t *places, double *room,
		      struct kma_leak_evidence *ev)
{
	size_t third = ev->blocks / 3;
	struct kma_leak_mean begin, middle, end;
	double first, second;

	ev->leaked = ev->fading = -1;
	if (!site->has_allocs)
		return;
	begin = leak_mean_of(site, places, third);
	middle = leak_mean_of(site, places + third, ev->blocks - 2 * third);
	end = leak_mean_of(site, places + ev->blocks - third, third);
	ev->leaked = leak_share(&begin, &end);
	ev->grown = end.objects - begin.objects;
	ev->allocated = end.allocs - begin.allocs;
	leak_sizes((const struct kma_leak_mean *[]){ &begin, &middle, &end }, ev);
	first = leak_share(&begin, &middle);
	second = leak_share(&middle, &end);
	if (first > 0)
		ev->fading = second > 0 ? second / first : 0;
	ev->load_changes = leak_load_changes(site);
	/*
	 * The number of live objects with long lives follows the rise of the load, but not its
	 * swings. It is not known how many such objects there are, so the first test allows for all
	 * of live.
	 */
	ev->load_rise = leak_load_rise(site);
	ev->live_rise = begin.live > 0 ? end.live / begin.live - 1 : INFINITY;
	ev->follows_load = begin.live > 0 && (ev->load_rise * KMA_LEAK_FOLLOWS > ev->live_rise ||
					      !leak_keeps(site, &begin, &end, room));
}

#define KMA_LEAK_Z	      3.0  /* least score of a trend */
#define KMA_LEAK_STEPS	      0.8  /* least share of steps up in a rise that is not steady */
#define KMA_LEAK_STEADY	      0.8  /* least lower bound of the slope, relative to the slope */
#define KMA_LEAK_PERIOD	      0.5  /* least correlation at the lag of a period */
#define KMA_LEAK_RIPPLE	      0.1  /* A rest below this part of the rise has no period. */
#define KMA_LEAK_FADES	      0.75 /* evidence.fading below this: the share decreases */
#define KMA_LEAK_COHORTS_FADE 0.85 /* evidence.residue_fading below this; cohorts have less noise */
#define KMA_LEAK_CHANCE	      3.0  /* standard deviations up to which a decrease may be chance */
#define KMA_LEAK_FEW	      2	   /* objects that may be in a second cohort, too */
#define KMA_LEAK_RESIDUE      0.95 /* least survivors at the later time relative to the earlier */
#define KMA_LEAK_GOES	      0.75 /* survivors below this: the old objects are not kept */
#define KMA_LEAK_COHORTS      0.7  /* least share of the old cohorts that have survivors */
#define KMA_LEAK_SWING	      0.25 /* least height above all minima, relative to the top */
#define KMA_LEAK_EVENTS	      24   /* allocations below which those that stay may be an accident */
#define KMA_LEAK_UNLOADED_S   60.0 /* s after its module was unloaded, live bytes are a leak */

const char *const kma_leak_verdicts[KMA_LEAK_NR_VERDICTS] = {
	[KMA_LEAK_LEAK] = "leak",	    [KMA_LEAK_GROWING] = "growing",
	[KMA_LEAK_FILLING] = "filling",	    [KMA_LEAK_CACHE] = "cache",
	[KMA_LEAK_TOO_EARLY] = "too-early", [KMA_LEAK_FALLING] = "falling",
	[KMA_LEAK_PLATEAU] = "plateau",
};

/*
 * Subtracts the line of least squares from the live bytes, so that a period becomes visible. @rest
 * is set to the differences. Returns the rise of the line over the series, in bytes.
 */
static double leak_detrend(const struct kma_leak_site *site, double *rest)
{
	double n = site->nr, mid = (n - 1) / 2, mean = 0, up = 0, down = 0;

	for (size_t i = 0; i < site->nr; i++)
		mean += site->samples[i].live / n;
	for (size_t i = 0; i < site->nr; i++) {
		up += (i - mid) * (site->samples[i].live - mean);
		down += (i - mid) * (i - mid);
	}
	for (size_t i = 0; i < site->nr; i++)
		rest[i] = site->samples[i].live - mean - (down ? up / down * (i - mid) : 0);
	return down ? up / down * (n - 1) : 0;
}

/*
 * Does the series differ from its line by a ripple only? Samples of a steady leak differ from the
 * line by an object or so, depending on when each was taken. This ripple may look like a period of
 * any length, but it is too small to be mistaken for the trend, or to hide it.
 */
static bool leak_is_line(const double *rest, size_t nr, double rise)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < nr; i++) {
		low = fmin(low, rest[i]);
		high = fmax(high, rest[i]);
	}
	return high - low < KMA_LEAK_RIPPLE * fabs(rise);
}

/*
 * Number of lags whose correlations are computed in one pass. The additions for one lag depend on
 * each other, so the CPU works on several lags at the same time.
 */
#define KMA_LEAK_LAGS 4

/* The correlations of @rest with itself, shifted by KMA_LEAK_LAGS successive lags. */
struct kma_leak_lags {
	const double *rest;
	double *squares; /* of each element of @rest */
	double *before;	 /* for each element: sum of the squares before it */
	size_t nr;	 /* elements of @rest */
	size_t first;	 /* lag of values[0]; 0: nothing was computed yet */
	double values[KMA_LEAK_LAGS];
};

/* Numbers of two successive lags, for vector instructions. */
struct kma_leak_pair {
	__attribute__((vector_size(16))) double both;
};

static struct kma_leak_pair leak_two(const double *from)
{
	struct kma_leak_pair two;

	memcpy(&two, from, sizeof(two));
	return two;
}

/* Compute the correlations of the lags from @first on. */
static void leak_correlate(struct kma_leak_lags *lags, size_t first)
{
	const double *rest = lags->rest, *squares = lags->squares;
	struct kma_leak_pair products[2] = { 0 }, ends[2] = { 0 };
	size_t i = 0;

	for (; i + first + KMA_LEAK_LAGS <= lags->nr; i++) {
		products[0].both += rest[i] * leak_two(rest + i + first).both;
		products[1].both += rest[i] * leak_two(rest + i + first + 2).both;
		ends[0].both += leak_two(squares + i + first).both;
		ends[1].both += leak_two(squares + i + first + 2).both;
	}
	for (size_t k = 0; k < KMA_LEAK_LAGS; k++) {
		size_t lag = first + k;
		double sum = products[k / 2].both[k % 2], b = ends[k / 2].both[k % 2];
		double a = lag < lags->nr ? lags->before[lags->nr - lag] : 0;

		for (size_t n = i; n + lag < lags->nr; n++) {
			sum += rest[n] * rest[n + lag];
			b += squares[n + lag];
		}
		lags->values[k] = a > 0 && b > 0 ? sum / sqrt(a * b) : 0;
	}
	lags->first = first;
}

static double leak_correlation(struct kma_leak_lags *lags, size_t lag)
{
	if (!lags->first || lag >= lags->first + KMA_LEAK_LAGS)
		leak_correlate(lags, lag);
	return lags->values[lag - lags->first];
}

/*
 * Finds the period, in samples (0: none): the first high peak of the autocorrelation after its
 * first value that is not positive. Lags up to half of the series are tried. @room is scratch space
 * for 2 * @nr + 1 numbers.
 */
static size_t leak_period(const double *rest, size_t nr, double *room)
{
	struct kma_leak_lags lags = { .rest = rest, .squares = room, .before = room + nr, .nr = nr };
	size_t lag = 1, best = 0;
	double high = KMA_LEAK_PERIOD;

	lags.before[0] = 0;
	for (size_t i = 0; i < nr; i++) {
		lags.squares[i] = rest[i] * rest[i];
		lags.before[i + 1] = lags.before[i] + lags.squares[i];
	}
	while (lag <= nr / 2 && leak_correlation(&lags, lag) > 0)
		lag++;
	for (; lag <= nr / 2; lag++) {
		double c = leak_correlation(&lags, lag);

		if (c > high) {
			high = c;
			best = lag;
		} else if (best && c < 0) {
			break;
		}
	}
	return best;
}

/*
 * Divides the samples into blocks, and sets @places to the indexes of their minima. A block is at
 * least as long as the period. If fewer than KMA_LEAK_MIN_BLOCKS such blocks fit, they overlap.
 */
static void leak_blocks(const struct kma_leak_site *site, size_t period,
			size_t places[KMA_LEAK_MAX_BLOCKS], struct kma_leak_evidence *ev)
{
	size_t window = site->nr / KMA_LEAK_MAX_BLOCKS, step;

	if (window < KMA_LEAK_MIN_BLOCK)
		window = KMA_LEAK_MIN_BLOCK;
	if (window < period)
		window = period;
	step = window;
	if (window * KMA_LEAK_MIN_BLOCKS > site->nr)
		step = (site->nr - window) / (KMA_LEAK_MIN_BLOCKS - 1);
	/* The last block ends with the series. */
	for (size_t i = 0; step && i < KMA_LEAK_MAX_BLOCKS; i++)
		ev->blocks += window + i * step <= site->nr;
	for (size_t b = 0; b < ev->blocks; b++) {
		size_t from = site->nr - window - (ev->blocks - 1 - b) * step, least = from;

		for (size_t i = from; i < from + window; i++)
			if (site->samples[i].live < site->samples[least].live)
				least = i;
		places[b] = least;
		ev->minima[b] = site->samples[least].live;
		ev->times[b] = site->samples[least].time;
	}
}

/* Find out whether the minima rise or fall, and whether live swings above them. */
static void leak_trend(const struct kma_leak_site *site, struct kma_leak_evidence *ev)
{
	size_t last = ev->blocks - ev->blocks / 3, up = 0;
	bool goes_on;

	ev->z = kma_trend_z(ev->minima, ev->blocks);
	ev->high = ev->minima[0];
	for (size_t i = 1; i < ev->blocks; i++) {
		up += ev->minima[i] > ev->minima[i - 1];
		if (ev->minima[i] > ev->high)
			ev->high = ev->minima[i];
	}
	ev->steps_up = (double)up / (ev->blocks - 1);
	goes_on = ev->minima[ev->blocks - 1] > ev->minima[last - 1];
	for (size_t i = 0; i < site->nr; i++)
		if (site->samples[i].live > ev->top)
			ev->top = site->samples[i].live;
	ev->steady = ev->slope.slope > 0 && ev->slope.low >= KMA_LEAK_STEADY * ev->slope.slope;
	ev->rises = ev->z > KMA_LEAK_Z && (ev->steady || ev->steps_up >= KMA_LEAK_STEPS) &&
		    goes_on && ev->slope.slope > ev->above;
	ev->falls = ev->z < -KMA_LEAK_Z && ev->slope.slope < 0;
	ev->unsteady = !ev->rises && ev->slope.low > ev->above;
	ev->swings = !ev->rises && ev->top > 0 && (ev->top - ev->high) / ev->top > KMA_LEAK_SWING;
}

/*
 * Compare the survivors of old cohorts at two times. A cohort is old if it was born in the first
 * half of the series: objects of it that are freed at all are gone before the earlier of the two
 * times.
 *
 * The samples that count births and those that count ages are not taken at one moment, so an object
 * may be counted in the cohort in addition to its own. Of a few objects that is a large share. The
 * share that stays is said to decrease only if it also does when KMA_LEAK_FEW objects are moved.
 *
 * Of a leak that loses one of some objects, the number of survivors is also left to chance: that of
 * n births of which each stays with the probability p has the variance n p (1 - p).
 */
static void leak_cohorts(const struct kma_leak_site *site, struct kma_leak_evidence *ev)
{
	double births[2] = { 0 }, left[2] = { 0 }, variance = 0;
	size_t old = 0, some = 0, seen = 0;

	ev->residue_fading = -1;
	ev->has_cohorts = site->cohorts && site->nr_cohorts;
	for (size_t i = 0; ev->has_cohorts && i < site->nr_cohorts; i++)
		old += site->cohorts[i].age >= ev->covers / 2 && site->cohorts[i].births > 0;
	for (size_t i = 0; ev->has_cohorts && i < site->nr_cohorts; i++) {
		const struct kma_leak_cohort *c = &site->cohorts[i];
		unsigned int half = seen * 2 >= old;

		if (c->age < ev->covers / 2 || c->births <= 0)
			continue;
		seen++;
		some += c->now > 0;
		ev->survivors_before += c->before;
		ev->survivors += c->now;
		births[half] += c->births;
		left[half] += c->now;
	}
	/* both are interpolated between samples: no more are live than were born */
	ev->old_births = fmax(births[0] + births[1], ev->survivors);
	ev->residue = old >= 3 && some >= KMA_LEAK_COHORTS * old && ev->survivors > 0 &&
		      ev->survivors >= KMA_LEAK_RESIDUE * ev->survivors_before;
	if (births[0] > 0 && births[1] > 0 && left[0] > KMA_LEAK_FEW)
		ev->residue_fading = (left[1] + KMA_LEAK_FEW) / births[1] /
				     ((left[0] - KMA_LEAK_FEW) / births[0]);
	for (int i = 0; i < 2; i++)
		variance += births[i] > left[i] ? 1 / fmax(left[i], 1) - 1 / births[i] : 0;
	ev->residue_noise = sqrt(variance);
}

/* Count what happened from the first to the last sample. */
static void leak_count(const struct kma_leak_site *site, struct kma_leak_evidence *ev)
{
	const struct kma_leak_sample *first = &site->samples[0], *last = first + site->nr - 1;

	ev->last = last->live;
	ev->covers = last->time - first->time;
	ev->gained = last->live - first->live;
	if (!site->has_allocs)
		return;
	ev->events = last->allocs - first->allocs;
	ev->freed = last->allocs - last->objects;
	ev->few = ev->events > 0 && ev->events < KMA_LEAK_EVENTS &&
		  last->objects > first->objects && ev->gained > ev->above * ev->covers;
}

static bool leak_is_fading(const struct kma_leak_evidence *ev)
{
	return ev->has_cohorts ?
		       ev->residue_fading >= 0 && ev->residue_fading < KMA_LEAK_COHORTS_FADE :
		       ev->fading >= 0 && ev->fading < KMA_LEAK_FADES;
}

/* Find all evidence. Without enough samples or blocks, the later steps are left out. */
static void leak_observe(const struct kma_leak_site *site, struct kma_leak_evidence *ev)
{
	_cleanup_free_ double *rest = kma_xcalloc(3 * site->nr + 1, sizeof(*rest));
	size_t places[KMA_LEAK_MAX_BLOCKS], period;
	double rise;

	*ev = (struct kma_leak_evidence){ .nr = site->nr,
					  .leaked = -1,
					  .events = -1,
					  .freed = -1,
					  .above = site->floor / 3600,
					  .fading = -1,
					  .residue_fading = -1,
					  .reclaim = site->reclaim,
					  .unloaded = site->unloaded,
					  .run = site->run,
					  .missing = site->missing,
					  .advice = site->advice };
	if (!site->nr)
		return;
	leak_count(site, ev);
	if (site->nr < KMA_LEAK_MIN_SAMPLES)
		return;
	rise = leak_detrend(site, rest);
	period = leak_is_line(rest, site->nr, rise) ? 0 :
						      leak_period(rest, site->nr, rest + site->nr);
	ev->period = period * ev->covers / (site->nr - 1);
	leak_blocks(site, period, places, ev);
	if (ev->blocks < KMA_LEAK_MIN_BLOCKS)
		return;
	kma_trend_theil_sen(ev->times, ev->minima, ev->blocks, &ev->slope);
	leak_trend(site, ev);
	leak_load(site, places, rest, ev);
	leak_cohorts(site, ev);
	ev->fades = leak_is_fading(ev);
	ev->may_fade = ev->fades && ev->has_cohorts &&
		       log(ev->residue_fading) > -KMA_LEAK_CHANCE * ev->residue_noise;
	/*
	 * if no object of the first half is live, objects pass, and the growth is that of the load
	 */
	ev->unsteady &= !ev->has_cohorts || ev->old_births <= 0 || ev->survivors >= 1;
}

static bool leak_is_orphan(const struct kma_leak_evidence *ev)
{
	return ev->orphan;
}

static bool leak_is_resized(const struct kma_leak_evidence *ev)
{
	return ev->resized && ev->covers >= KMA_LEAK_MIN_COVER;
}

static bool leak_is_early(const struct kma_leak_evidence *ev)
{
	return ev->blocks < KMA_LEAK_MIN_BLOCKS || ev->covers < KMA_LEAK_MIN_COVER ||
	       ev->covers < KMA_LEAK_PERIODS * ev->period;
}

/*
 * Do objects stay for ever? With cohorts: most old cohorts have survivors, and their share does not
 * decrease. Without: the same share of the allocations stays live although the load changes.
 */
static bool leak_stays(const struct kma_leak_evidence *ev)
{
	if (ev->has_cohorts)
		return ev->residue && !ev->fades;
	return ev->load_changes && !ev->follows_load && ev->steady && ev->leaked > 0 &&
	       ev->fading >= KMA_LEAK_FADES && ev->fading <= 1 / KMA_LEAK_FADES;
}

/*
 * A cache of which it is unknown whether it is reclaimable may be filling: it is not called a leak.
 * If bytes rise, but not the number of objects, tables become larger, and none is lost.
 */
static bool leak_is_leak(const struct kma_leak_evidence *ev)
{
	return ev->rises && leak_stays(ev) && (ev->events < 0 || ev->grown > 0) &&
	       (ev->reclaim == KMA_LEAK_RECLAIM_NONE || ev->reclaim == KMA_LEAK_RECLAIM_PASSED);
}

static bool leak_is_few(const struct kma_leak_evidence *ev)
{
	return ev->few && !ev->falls;
}

static bool leak_is_filling(const struct kma_leak_evidence *ev)
{
	return ev->rises &&
	       ((ev->fades && !ev->may_fade) ||
		(ev->has_cohorts && ev->old_births > 0 && !ev->residue &&
		 ev->survivors < KMA_LEAK_GOES * fmax(ev->survivors_before, 1)) ||
		ev->reclaim == KMA_LEAK_RECLAIM_CACHE || ev->reclaim == KMA_LEAK_RECLAIM_LATE);
}

/* Growth that is not steady may be chance, or a leak. */
static bool leak_is_growing(const struct kma_leak_evidence *ev)
{
	return ev->rises || ev->unsteady;
}

static bool leak_is_cache(const struct kma_leak_evidence *ev)
{
	return ev->swings && !ev->falls;
}

static bool leak_is_falling(const struct kma_leak_evidence *ev)
{
	return ev->falls;
}

static bool leak_is_any(const struct kma_leak_evidence *ev)
{
	return ev->nr;
}

/*
 * The verdict is that of the first rule that fits; the last one fits always. The confidences of
 * leak are not above the share of such verdicts that is right in the synthetic series
 * (tests/bench/leaks-judge.c). The other confidences are not measured.
 */
static const struct kma_leak_rule {
	enum kma_leak_verdict verdict;
	bool (*fits)(const struct kma_leak_evidence *ev);
	double with_cohorts, without;
} kma_leak_rules[] = {
	{ KMA_LEAK_LEAK, leak_is_orphan, 0.9, 0.9 },
	{ KMA_LEAK_GROWING, leak_is_resized, 0.5, 0.5 },
	{ KMA_LEAK_TOO_EARLY, leak_is_early, 1, 1 },
	{ KMA_LEAK_LEAK, leak_is_leak, 0.99, 0.9 },
	{ KMA_LEAK_TOO_EARLY, leak_is_few, 1, 1 },
	{ KMA_LEAK_FILLING, leak_is_filling, 0.8, 0.6 },
	{ KMA_LEAK_GROWING, leak_is_growing, 0.5, 0.5 },
	{ KMA_LEAK_CACHE, leak_is_cache, 0.8, 0.7 },
	{ KMA_LEAK_FALLING, leak_is_falling, 0.9, 0.9 },
	{ KMA_LEAK_PLATEAU, leak_is_any, 0.9, 0.8 },
	{ KMA_LEAK_TOO_EARLY, NULL, 1, 1 },
};

void kma_leak_judge(const struct kma_leak_site *site, struct kma_leak_result *ret)
{
	const struct kma_leak_rule *rule = kma_leak_rules;

	leak_observe(site, &ret->evidence);
	ret->evidence.orphan = ret->evidence.unloaded >= KMA_LEAK_UNLOADED_S &&
			       ret->evidence.last > 0 && !ret->evidence.falls;
	ret->evidence.few &= !leak_is_early(&ret->evidence);
	while (rule->fits && !rule->fits(&ret->evidence))
		rule++;
	ret->verdict = rule->verdict;
	ret->confidence = ret->evidence.has_cohorts ? rule->with_cohorts : rule->without;
}

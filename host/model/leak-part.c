// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-part.c - compare a workload with its control.
 */
#include "leak-part.h"

#define KMA_LEAK_FILLED 0.25 /* least rise of a table that has filled, relative to its end */

size_t kma_leak_part(struct kma_leak_sample *samples, size_t nr, const double *steps)
{
	struct kma_leak_sample sum, before;
	size_t kept = 1;

	if (!nr)
		return 0;
	samples[0].time = 0;
	sum = before = samples[0];
	for (size_t i = 1; i < nr; i++) {
		struct kma_leak_sample now = samples[i];

		if (steps[i - 1] > 0) {
			sum.time += steps[i - 1];
			sum.live += now.live - before.live;
			sum.objects += now.objects - before.objects;
			sum.allocs += now.allocs - before.allocs;
			samples[kept++] = sum;
		}
		before = now;
	}
	return kept;
}

/* Did the minima rise at first, never fall, and stay in the last third? */
static bool leak_has_filled(const struct kma_leak_evidence *ev)
{
	size_t last = ev->blocks - ev->blocks / 3;

	if (ev->blocks < KMA_LEAK_MIN_BLOCKS)
		return false;
	for (size_t i = 1; i < ev->blocks; i++)
		if (ev->minima[i] < ev->minima[i - 1] ||
		    (i > last && ev->minima[i] > ev->minima[last]))
			return false;
	return ev->minima[last] - ev->minima[0] > KMA_LEAK_FILLED * ev->minima[last];
}

static const char *leak_becomes(struct kma_leak_result *own, enum kma_leak_verdict verdict,
				double confidence, const char *why)
{
	own->verdict = verdict;
	own->confidence = confidence;
	return why;
}

const char *kma_leak_control(struct kma_leak_result *own, const struct kma_leak_result *control)
{
	double slope = own->evidence.slope.slope, other = control->evidence.slope.slope;
	bool leak = own->verdict == KMA_LEAK_LEAK;

	if (leak && slope <= 0)
		return leak_becomes(own, KMA_LEAK_PLATEAU, 0.8,
				    "its objects are from before the runs");
	if (leak && other * 2 >= slope)
		return leak_becomes(own, KMA_LEAK_GROWING, 0.5,
				    "it grows as well while an empty command runs");
	if ((leak || own->verdict == KMA_LEAK_GROWING || own->verdict == KMA_LEAK_FILLING) &&
	    other * 2 <= -slope)
		return leak_becomes(own, KMA_LEAK_CACHE, 0.7,
				    "it shrinks again while an empty command runs");
	if ((own->verdict == KMA_LEAK_PLATEAU ||
	     (own->verdict == KMA_LEAK_GROWING && own->evidence.unsteady)) &&
	    leak_has_filled(&own->evidence))
		return leak_becomes(own, KMA_LEAK_FILLING, 0.6,
				    "it grew in the first runs and stays");
	return NULL;
}

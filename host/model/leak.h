/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leak.h - give a verdict on a call site: is it a leak? The input is a series of samples of the
 * site, and what else is known of it; the output is a verdict with its evidence. The evidence comes
 * from the minima of blocks of samples, because bursts, periods and sawteeth do not raise these.
 * The verdict is that of the first row of a table whose condition holds (leak.c).
 *
 * Never done here: no file is read, nothing is printed, and no sample is changed. Missing data are
 * not guessed: the verdict is then a weaker one, and the reasons state what is missing.
 *
 * Locking: none; no data are shared.
 */
#ifndef KMA_MODEL_LEAK_H
#define KMA_MODEL_LEAK_H

#include <stdbool.h>

#include "leak-site.h"
#include "lib/err.h"

enum kma_leak_verdict {
	KMA_LEAK_LEAK,
	KMA_LEAK_GROWING,
	KMA_LEAK_FILLING,
	KMA_LEAK_CACHE,
	KMA_LEAK_TOO_EARLY,
	KMA_LEAK_FALLING,
	KMA_LEAK_PLATEAU,
	KMA_LEAK_NR_VERDICTS,
};

/* Names of the verdicts, in the order in which a report ranks them. */
extern const char *const kma_leak_verdicts[KMA_LEAK_NR_VERDICTS];

/* A verdict with a lower confidence excludes no leak. */
#define KMA_LEAK_SURE 0.6

struct kma_leak_result {
	enum kma_leak_verdict verdict;
	double confidence; /* 0 to 1 */
	struct kma_leak_evidence evidence;
};

/* The time grows with the square of the number of samples if the samples have a period. */
void kma_leak_judge(const struct kma_leak_site *site, struct kma_leak_result *ret);

#endif /* KMA_MODEL_LEAK_H */

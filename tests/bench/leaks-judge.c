// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-judge.c - recall and false leaks of the verdicts (host/model/leak) on made series, beside
 * three simple tests of the raw samples, which are written here on their own.
 *
 *	leaks-judge SERIES [held-out] [--check]
 *
 * SERIES is the number of series in each class. With held-out the series are other ones, by
 * which no threshold was chosen. --check ends with status 1 if recall of a class of leaks is below
 * 95 % (on a base without cohorts, 80 %) or another class has more than 0.1 % false leaks. Arrays that
 * grow have no bar.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leaks-made.h"
#include "lib/cleanup.h"

#define RECALL	    0.95
#define RECALL_BASE 0.8 /* without cohorts, beside much memory: the load may explain a small rise */
#define FALSE	    0.001

/* How many series are a leak, by whom. */
enum judge {
	JUDGE_COHORTS,
	JUDGE_PLAIN, /* without cohorts */
	JUDGE_FIRST_LAST,
	JUDGE_MANN_KENDALL,
	JUDGE_NEVER_FALLS, /* bytes that never fall, and grow in both halves alike, up to the end */
	NR_JUDGES,
};

struct counts {
	unsigned long leaks[MADE_NR_CLASSES][NR_JUDGES];
	unsigned long given[2][101],
		right[2][101]; /* leaks by confidence, with and without cohorts */
};

/* Mann and Kendall's z of the samples, without its correction for equal ones. */
static double raw_z(const double *values, int nr)
{
	double score = 0;

	for (int i = 0; i < nr; i++)
		for (int j = i + 1; j < nr; j++)
			score += values[j] > values[i] ? 1 : -1;
	return (score - copysign(1, score)) / sqrt(nr * (nr - 1.0) * (2.0 * nr + 5) / 18);
}

static bool never_falls(const double *values, int nr)
{
	double first = values[nr / 2] - values[0], second = values[nr - 1] - values[nr / 2];

	for (int i = 1; i < nr; i++)
		if (values[i] < values[i - 1])
			return false;
	return second > 0.75 * first && first > 0.75 * second &&
	       values[nr - 1] > values[nr * 2 / 3];
}

static void judge(const struct made *made, enum made_class class, bool cohorts,
		  struct counts *counts)
{
	struct kma_leak_sample samples[MADE_SAMPLES];
	struct kma_leak_site site = { .samples = samples,
				      .nr = MADE_SAMPLES,
				      .has_allocs = true,
				      .cohorts = cohorts ? made->cohorts : NULL,
				      .nr_cohorts = cohorts ? MADE_COHORTS : 0,
				      .reclaim = made->reclaim,
				      .unloaded = -1,
				      .floor = 1 };
	struct kma_leak_result result;
	double allocs = 0;
	int sure;

	for (int i = 0; i < MADE_SAMPLES; i++) {
		allocs += made->births[i];
		samples[i] = (struct kma_leak_sample){ i * MADE_STEP, made->live[i] * made->size[i],
						       made->live[i], allocs };
	}
	kma_leak_judge(&site, &result);
	if (result.verdict != KMA_LEAK_LEAK)
		return;
	sure = rint(result.confidence * 100);
	counts->leaks[class][cohorts ? JUDGE_COHORTS : JUDGE_PLAIN]++;
	counts->given[!cohorts][sure]++;
	counts->right[!cohorts][sure] += made_is_leak(class);
}

static void judge_class(enum made_part part, enum made_class class, unsigned int nr,
			struct counts *counts)
{
	for (unsigned int n = 0; n < nr; n++) {
		double bytes[MADE_SAMPLES];
		struct made made;

		made_series(part, class, n, &made);
		judge(&made, class, true, counts);
		judge(&made, class, false, counts);
		for (int i = 0; i < MADE_SAMPLES; i++)
			bytes[i] = made.live[i] * made.size[i];
		counts->leaks[class][JUDGE_FIRST_LAST] += bytes[MADE_SAMPLES - 1] > bytes[0] * 1.1;
		counts->leaks[class][JUDGE_MANN_KENDALL] += raw_z(bytes, MADE_SAMPLES) > 3;
		counts->leaks[class][JUDGE_NEVER_FALLS] += never_falls(bytes, MADE_SAMPLES);
	}
}

static bool is_within(enum made_class class, enum judge by, unsigned long leaks, unsigned int nr)
{
	/* an account cannot tell these from tables that are in use */
	if (class == MADE_ARRAYS)
		return true;
	if (!made_is_leak(class))
		return leaks <= FALSE * nr;
	return leaks >= (class == MADE_LEAK_BASE && by == JUDGE_PLAIN ? RECALL_BASE : RECALL) * nr;
}

static void print_confidence(const struct counts *counts)
{
	for (int i = 0; i < 2; i++)
		for (int sure = 0; sure <= 100; sure++)
			if (counts->given[i][sure])
				printf("leak at confidence %.2f, %s cohorts: %.3f %% of %lu are right\n",
				       sure / 100.0, i ? "without" : "with",
				       100.0 * counts->right[i][sure] / counts->given[i][sure],
				       counts->given[i][sure]);
}

int main(int argc, char **argv)
{
	static struct counts counts;
	unsigned int nr = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	enum made_part part = MADE_OPEN;
	bool check = false, failed = false;

	for (int i = 2; i < argc; i++) {
		check |= !strcmp(argv[i], "--check");
		if (!strcmp(argv[i], "held-out"))
			part = MADE_HELD_OUT;
	}
	if (!nr) {
		fprintf(stderr, "usage: leaks-judge SERIES [held-out] [--check]\n");
		return 2;
	}
	printf("| class | series | leak, %% | without cohorts | last > first + 10 %% | Mann-Kendall | never falls |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (unsigned int class = 0; class < MADE_NR_CLASSES; class ++) {
		const unsigned long *leaks = counts.leaks[class];

		judge_class(part, class, nr, &counts);
		printf("| %s | %u |", made_names[class], nr);
		for (int i = 0; i < NR_JUDGES; i++)
			printf(" %.3f |", 100.0 * leaks[i] / nr);
		printf("\n");
		fflush(stdout);
		for (int i = 0; i <= JUDGE_PLAIN; i++)
			failed |= !is_within(class, i, leaks[i], nr);
	}
	print_confidence(&counts);
	if (failed && check)
		fprintf(stderr,
			"leaks-judge: recall is below its bar, or a class has more than 0.1 %% false leaks\n");
	return failed && check;
}

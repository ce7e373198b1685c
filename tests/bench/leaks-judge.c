// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-judge.c - host/model/leak on series from a pipe, for leaks.py. In, as doubles of this
 * machine: samples, cohorts, reclaim (enum kma_leak_reclaim), then the samples, then the
 * cohorts. Out, a line for each series: verdict, confidence, z, slope.
 */
#include <stdio.h>
#include <stdlib.h>

#include "model/leak.h"

#define MAX 4096

static void take(void *to, size_t size, size_t nr)
{
	if (nr > MAX || fread(to, size, nr, stdin) != nr) {
		fprintf(stderr, "leaks-judge: a series ends early\n");
		exit(1);
	}
}

int main(void)
{
	static struct kma_leak_sample samples[MAX];
	static struct kma_leak_cohort cohorts[MAX];
	double head[3];

	while (fread(head, sizeof(head), 1, stdin) == 1) {
		struct kma_leak_site site = { .samples = samples,
					      .nr = head[0],
					      .has_allocs = true,
					      .cohorts = head[1] ? cohorts : NULL,
					      .nr_cohorts = head[1],
					      .reclaim = head[2],
					      .unloaded = -1,
					      .floor = 1 };
		struct kma_leak_result result;

		take(samples, sizeof(*samples), site.nr);
		take(cohorts, sizeof(*cohorts), site.nr_cohorts);
		if (kma_leak_judge(&site, &result))
			return 1;
		printf("%s %.2f %.9f %.9f\n", kma_leak_verdicts[result.verdict], result.confidence,
		       result.evidence.z, result.evidence.slope.slope);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-totals.c - the totals that the recorder writes at the end of a log.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "log-totals.h"

static void kma_log_totals_add(struct kma_log_totals *totals, uint32_t cpu, uint64_t records,
			       uint64_t lost)
{
	struct kma_log_total *total = &totals->cpus[cpu];

	totals->nr += !total->known;
	total->known = true;
	total->records = records;
	total->lost = lost;
}

bool kma_log_totals_parse(struct kma_log_totals *totals, const char *line, uint32_t nr_cpus,
			  struct kma_err **err)
{
	uint64_t records, lost;
	uint32_t cpu, nr;

	if (sscanf(line, "#end %" SCNu32, &nr) == 1) {
		totals->whole = nr == totals->nr;
		return true;
	}
	if (sscanf(line, "#total %" SCNu32 " %" SCNu64 " %" SCNu64, &cpu, &records, &lost) != 3)
		return false;
	if (cpu >= nr_cpus)
		return true;
	if (!totals->cpus)
		totals->cpus = calloc(nr_cpus, sizeof(*totals->cpus));
	if (totals->cpus)
		kma_log_totals_add(totals, cpu, records, lost);
	else
		*err = &kma_enomem;
	return true;
}

void kma_log_totals_free(struct kma_log_totals *totals)
{
	free(totals->cpus);
}

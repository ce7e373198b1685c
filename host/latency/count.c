// SPDX-License-Identifier: GPL-2.0-only
/*
 * count.c - rows and sums of an analysis.
 */
#include <stdio.h>

#include "count.h"

void kma_lat_row_add(struct kma_lat *lat, unsigned int of, struct kma_lat_text text, uint64_t ns)
{
	kma_lat_stat_add(&kma_lat_rows_get(lat->rows, of, text)->stat, ns);
}

/* Rows by an argument of the event: the text before the value. */
static const char *const kma_lat_by_keys[KMA_LAT_NR_BY] = {
	[KMA_LAT_BY_ORDER] = "order=",
	[KMA_LAT_BY_GFP] = "gfp_flags=",
	[KMA_LAT_BY_NODE] = "nid: ",
};

void kma_lat_count(struct kma_lat *lat, enum kma_lat_cause cause, const struct kma_lat_task *task,
		   const struct kma_lat_text *args, uint64_t ns)
{
	const char *key = kma_lat_by_keys[lat->opts.by];
	struct kma_lat_text text = { "", 0 };
	char name[KMA_LAT_COMM + 16];

	kma_lat_stat_add(&lat->sums.causes[cause], ns);
	if (lat->opts.by < KMA_LAT_BY_TASK)
		return;
	if (lat->opts.by == KMA_LAT_BY_SITE)
		text = *args;
	if (lat->opts.by == KMA_LAT_BY_TASK && task->has_pid) {
		text.len = snprintf(name, sizeof(name), "%s-%u", task->comm, task->pid);
		text.str = name;
	}
	if (key && !kma_lat_value(args, key, &text) && lat->opts.by == KMA_LAT_BY_GFP)
		kma_lat_value(args, "gfp_flags ", &text);
	if (!text.len)
		text = (struct kma_lat_text)KMA_LAT_NAME(KMA_LAT_UNKNOWN);
	kma_lat_row_add(lat, KMA_LAT_OF_BY + cause, text, ns);
}

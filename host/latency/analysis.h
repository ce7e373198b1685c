/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * analysis.h - the state of an analysis. Only for the files of latency/.
 */
#ifndef KMA_LATENCY_ANALYSIS_H
#define KMA_LATENCY_ANALYSIS_H

#include "sums.h"

/* The stack that is being read, frame by frame. */
struct kma_lat_reading {
	struct kma_lat_task *task; /* task of the stack; NULL: no stack is being read */
	bool allocates, found;	   /* a frame so far allocates or charges; the site was found */
};

#define KMA_LAT_KNOWN 64 /* shrinkers in the cache */

/* A cached shrinker: its text in events, and its two rows. */
struct kma_lat_known {
	size_t len; /* bytes of @text */
	char text[KMA_LAT_MAX_TEXT];
	struct kma_lat_row *by_name, *by_both; /* by function; by function and name or address */
};

struct kma_lat_names;

struct kma_lat {
	struct kma_lat_options opts;
	struct kma_lat_tasks *tasks;
	struct kma_lat_rows *rows;
	struct kma_lat_sums sums;
	uint64_t gaps[KMA_LAT_MAX_CPUS], all_gaps; /* times that events of a CPU were lost; sum */
	struct kma_lat_reading stack;
	struct kma_lat_known known[KMA_LAT_KNOWN];
	struct kma_lat_names *names; /* names of shrinkers; NULL: the log has none */
	bool closing; /* nothing is counted any more: there may be no memory for it */
};

static inline void kma_lat_keep(struct kma_strbuf *to, const char *line, size_t len)
{
	to->len = 0;
	kma_strbuf_add(to, line, len);
}

#endif /* KMA_LATENCY_ANALYSIS_H */

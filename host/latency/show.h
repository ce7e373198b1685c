/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - print the results of an analysis: a table for people, csv, JSON. The table begins with
 * the shrinkers in the form of the RFC (see latency.h), so that scripts that read this form still
 * work.
 */
#ifndef KMA_LATENCY_SHOW_H
#define KMA_LATENCY_SHOW_H

#include "latency.h"
#include "lib/format.h"
#include "lib/strbuf.h"

struct kma_lat_report {
	const struct kma_lat *lat;
	const char *input;  /* name of the log */
	uint64_t threshold; /* ns */
	enum kma_lat_by by; /* key of the rows */
	bool csv_safe;	    /* csv: make no name a formula of a spreadsheet */
	bool fit;	    /* table: on a terminal only what fits */
};

void kma_lat_show_text(const struct kma_lat_report *report, enum kma_format format,
		       struct kma_strbuf *out);

#endif /* KMA_LATENCY_SHOW_H */

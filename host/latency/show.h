/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - what an analysis has found, as text: for people, as csv, as JSON. The table
 * begins with the shrinkers in the form of the RFC (see latency.h), so that scripts which
 * read that go on.
 */
#ifndef KMA_LATENCY_SHOW_H
#define KMA_LATENCY_SHOW_H

#include "latency.h"
#include "lib/format.h"
#include "lib/strbuf.h"

struct kma_lat_report {
	const struct kma_lat *lat;
	const char *input;
	uint64_t threshold; /* ns */
	enum kma_lat_by by;
	bool csv_safe; /* csv: no name is a formula of a spreadsheet */
};

/**
 * kma_lat_show_text() - write an analysis
 * @report: the analysis
 * @format: how
 * @out: appended to
 */
void kma_lat_show_text(const struct kma_lat_report *report, enum kma_format format,
		       struct kma_strbuf *out);

#endif /* KMA_LATENCY_SHOW_H */

/* SPDX-License-Identifier: GPL-2.0 */
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
};

struct kma_lat_format {
	const char *name;
	bool lines; /* are the slow calls' lines part of it? */
	void (*write)(const struct kma_lat_report *report, struct kma_strbuf *out);
};

/* By enum kma_format. */
extern const struct kma_lat_format kma_lat_formats[KMA_NR_FORMATS];

#endif /* KMA_LATENCY_SHOW_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * series.h - write an account as metrics, in the text format of Prometheus (0.0.4) or of
 * OpenMetrics (1.0.0). There are families for the whole account, for each directory and module, for
 * the picked call sites (picks.h), and for each cgroup or NUMA node. Each of these scopes adds up
 * to the account.
 */
#ifndef KMA_EXPORT_SERIES_H
#define KMA_EXPORT_SERIES_H

#include "export.h"
#include "picks.h"

/* Numbers of a server in addition to the account. An unknown number is less than 0. */
struct kma_series_own {
	double seconds;	  /* duration of the last read of the account */
	double created;	  /* start of the counters, seconds since 1970 */
	int64_t bytes;	  /* memory of the module itself */
	int64_t requests; /* number of requests that were served */
	int64_t failures; /* number of reads that failed */
};

/*
 * Append the metrics of an account, in the format of OpenMetrics or of Prometheus. @picks was
 * updated with @sites. @groups: groups with series, updated as well; NULL: no series of groups.
 * @own: NULL without a server.
 */
void kma_series_write(const struct kma_export *export, const struct kma_export_sites *sites,
		      const struct kma_picks *picks, const struct kma_picks *groups,
		      const struct kma_series_own *own, bool openmetrics, struct kma_strbuf *out);

/* Append the metrics of a server that cannot read its account. */
void kma_series_down(const struct kma_series_own *own, bool openmetrics, struct kma_strbuf *out);

#endif /* KMA_EXPORT_SERIES_H */

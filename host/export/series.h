/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * series.h - an account as metrics, in the text format of Prometheus (0.0.4) or in that of
 * OpenMetrics (1.0.0): the whole, each directory and module, the picked call sites, and each cgroup
 * or NUMA node.
 */
#ifndef KMA_EXPORT_SERIES_H
#define KMA_EXPORT_SERIES_H

#include "export.h"
#include "picks.h"

/* Numbers of a server in addition to the account. An unknown number is less than 0. */
struct kma_series_own {
	double seconds;	  /* that reading the account took */
	double created;	  /* when the counters began, seconds since 1970 */
	int64_t bytes;	  /* memory that the module takes */
	int64_t requests; /* that were served */
	int64_t failures; /* reads that failed */
};

/**
 * kma_series_write() - write the metrics of an account
 * @export: of whom
 * @sites: the call sites of its account
 * @picks: updated with these sites
 * @groups: updated with its groups; NULL: no series of groups
 * @own: what else is known; NULL: nothing
 * @openmetrics: the format
 * @out: the text is appended
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_series_write(const struct kma_export *export,
				 const struct kma_export_sites *sites,
				 const struct kma_picks *picks, const struct kma_picks *groups,
				 const struct kma_series_own *own, bool openmetrics,
				 struct kma_strbuf *out);

/**
 * kma_series_down() - write the metrics of a server that cannot read its account
 * @own: what it knows
 * @openmetrics: the format
 * @out: the text is appended
 */
void kma_series_down(const struct kma_series_own *own, bool openmetrics, struct kma_strbuf *out);

#endif /* KMA_EXPORT_SERIES_H */

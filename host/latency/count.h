/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.h - rows and sums of an analysis.
 */
#ifndef KMA_LATENCY_COUNT_H
#define KMA_LATENCY_COUNT_H

#include "analysis.h"

/**
 * kma_lat_row_add() - add a duration to a row
 * @lat: the analysis
 * @of: kind of the row, see kma_lat_rows_get()
 * @text: the row's name
 * @ns: duration
 */
void kma_lat_row_add(struct kma_lat *lat, unsigned int of, struct kma_lat_text text, uint64_t ns);

/**
 * kma_lat_count() - count one wait of a cause
 * @lat: the analysis
 * @cause: the cause
 * @task: the task that waited
 * @args: arguments of its begin event, empty if there is none; if rows are by site: the site
 * @ns: duration of the wait
 */
void kma_lat_count(struct kma_lat *lat, enum kma_lat_cause cause, const struct kma_lat_task *task,
		   const struct kma_lat_text *args, uint64_t ns);

#endif /* KMA_LATENCY_COUNT_H */

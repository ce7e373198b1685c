/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stat.h - statistics of durations: number, sum, minimum, maximum, and a histogram that gives
 * percentiles.
 *
 * The histogram has 16 steps within each power of two, and one step for each ns below 16, as in
 * HdrHistogram (Gil Tene). A percentile is therefore at most 1/16 too large, and never too small. A
 * step counts up to 2^32 - 1 calls and then stays. A statistic takes 3,104 bytes.
 *
 * Rows of such statistics are found by a number and a text. There are at most KMA_LAT_MAX_ROWS
 * rows, about 26 MB; durations of further rows are added to a row KMA_LAT_MORE_ROWS of the same
 * number.
 */
#ifndef KMA_LATENCY_STAT_H
#define KMA_LATENCY_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

#define KMA_LAT_STEPS	  16 /* steps within a power of two */
#define KMA_LAT_POWERS	  48 /* powers of two of ns that are printed: up to three days */
#define KMA_LAT_MAX_ROWS  8192
#define KMA_LAT_MAX_TEXT  128 /* bytes of a row's text; longer ones are cut */
#define KMA_LAT_MORE_ROWS "[more]"

struct kma_lat_stat {
	uint64_t calls, total, min, max;		/* number of durations; ns */
	uint32_t steps[KMA_LAT_POWERS * KMA_LAT_STEPS]; /* calls by step */
};

struct kma_lat_row {
	unsigned int of; /* kind of the row; a number of the caller */
	char *text;	 /* NUL-terminated */
	size_t len;	 /* bytes of @text */
	struct kma_lat_stat stat;
};

struct kma_lat_rows;

void kma_lat_stat_add(struct kma_lat_stat *stat, uint64_t ns);

/*
 * The duration of at least one call that @percent (above 0) of all calls did not exceed (nearest
 * rank), and at most 1/16 more.
 */
uint64_t kma_lat_stat_percentile(const struct kma_lat_stat *stat, double percent);

/* Calls of at least 2^power ns and less than twice that; for 0 also those of less than 1 ns. */
uint64_t kma_lat_stat_power(const struct kma_lat_stat *stat, unsigned int power);

struct kma_lat_rows *kma_lat_rows_create(void);
void kma_lat_rows_destroy(struct kma_lat_rows *rows);

/* Find or create a row by its kind and the first KMA_LAT_MAX_TEXT bytes of its text. */
struct kma_lat_row *kma_lat_rows_get(struct kma_lat_rows *rows, unsigned int of,
				     struct kma_lat_text text);

/* Rename a row; if a row with that text exists, @row is removed and its calls are added to it. */
void kma_lat_rows_rename(struct kma_lat_rows *rows, struct kma_lat_row *row,
			 struct kma_lat_text text);

/* Rows of the kinds @first to @last, the largest sum first: an array for free(3). */
const struct kma_lat_row **kma_lat_rows_sorted(const struct kma_lat_rows *rows, unsigned int first,
					       unsigned int last, size_t *nr);

#endif /* KMA_LATENCY_STAT_H */

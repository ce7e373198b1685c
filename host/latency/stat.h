/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stat.h - durations: calls, sum, minimum, maximum, and a histogram that gives percentiles. A step
 * of the histogram is a sixteenth of its power of two, as in HdrHistogram (Gil Tene), so a
 * percentile is at most 1/16 too large.
 *
 * Rows of such statistics are found by a number and a text. The number of rows is limited;
 * durations of further rows are charged to a named row.
 */
#ifndef KMA_LATENCY_STAT_H
#define KMA_LATENCY_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "line.h"

#define KMA_LAT_STEPS	  16 /* steps within a power of two */
#define KMA_LAT_POWERS	  48 /* of ns: up to three days */
#define KMA_LAT_MAX_ROWS  8192
#define KMA_LAT_MAX_TEXT  128
#define KMA_LAT_MORE_ROWS "[more]"

struct kma_lat_stat {
	uint64_t calls, total, min, max; /* ns */
	uint32_t steps[KMA_LAT_POWERS * KMA_LAT_STEPS];
};

struct kma_lat_row {
	struct kma_lat_row *next; /* in its bucket */
	unsigned int of;	  /* the caller's number for the kind of row */
	unsigned int hash;
	char *text;
	size_t len;
	struct kma_lat_stat stat;
};

struct kma_lat_rows;

/**
 * kma_lat_stat_add() - one more
 * @stat: as it is
 * @ns: how long it took
 */
void kma_lat_stat_add(struct kma_lat_stat *stat, uint64_t ns);

/**
 * kma_lat_stat_merge() - all of another one
 * @stat: as it is
 * @other: stays as it is
 */
void kma_lat_stat_merge(struct kma_lat_stat *stat, const struct kma_lat_stat *other);

/**
 * kma_lat_stat_percentile() - how long the fastest so many percent took at most
 * @stat: with at least one call
 * @percent: above 0, at most 100
 *
 * Return: ns, not less than the true value (nearest rank), at most 1/16 more.
 */
uint64_t kma_lat_stat_percentile(const struct kma_lat_stat *stat, double percent);

/**
 * kma_lat_stat_power() - calls of a power of two
 * @stat: the stat
 * @power: from 0; calls of 2^power ns and more, less than twice that; 0 has those below as well
 *
 * Return: how many.
 */
uint64_t kma_lat_stat_power(const struct kma_lat_stat *stat, unsigned int power);

/**
 * kma_lat_rows_create() - no rows
 * @ret: the rows
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_lat_rows_create(struct kma_lat_rows **ret);

/**
 * kma_lat_rows_destroy() - free all
 * @rows: from kma_lat_rows_create(); NULL is fine
 */
void kma_lat_rows_destroy(struct kma_lat_rows *rows);

/**
 * kma_lat_rows_get() - find or create a row
 * @rows: the rows
 * @of: what it is of
 * @text: its name; the first KMA_LAT_MAX_TEXT bytes count
 *
 * Return: the row, or the common row of @of if the table is full; NULL if memory runs out.
 */
struct kma_lat_row *kma_lat_rows_get(struct kma_lat_rows *rows, unsigned int of,
				     struct kma_lat_text text);

/**
 * kma_lat_rows_rename() - rename a row; if a row of that name exists, merge the two
 * @rows: the rows
 * @row: removed if the two are merged
 * @text: its new name
 *
 * Return: false if memory runs out; the row is then unchanged.
 */
bool kma_lat_rows_rename(struct kma_lat_rows *rows, struct kma_lat_row *row,
			 struct kma_lat_text text);

/**
 * kma_lat_rows_sorted() - those of one kind, the largest sum first
 * @rows: the rows
 * @first: of this kind,
 * @last: up to this one
 * @nr: how many
 *
 * Return: an array for free(); NULL without memory.
 */
const struct kma_lat_row **kma_lat_rows_sorted(const struct kma_lat_rows *rows, unsigned int first,
					       unsigned int last, size_t *nr);

#endif /* KMA_LATENCY_STAT_H */

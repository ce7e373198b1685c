/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-times.h - the numbers of a page over time.
 *
 * The columns of the metrics have the newest numbers. Each earlier time has a column of differences
 * to the time after it, most of which are 0. All numbers are in memory at once: 176 bytes for each
 * leaf of the page and each time.
 */
#ifndef KMA_VIEW_PAGE_PAGE_TIMES_H
#define KMA_VIEW_PAGE_PAGE_TIMES_H

#include "page-rows.h"

struct kma_page_times {
	const struct kma_chart_times *chart;
	struct kma_values *values; /* [time * nr_leaves + leaf] */
	size_t nr;		   /* number of times; 0: the tree has one time */
	size_t nr_leaves;	   /* number of leaves of the page */
};

/**
 * kma_page_times_init() - collect the numbers of all times
 * @times: filled in; has to be deinitialised also after an error
 * @rows: rows of a tree
 * @all: the times of the tree, which is left with the numbers of the newest; NULL: it has one time
 */
void kma_page_times_init(struct kma_page_times *times, const struct kma_page_rows *rows,
			 const struct kma_chart_times *all);

/* Free the numbers. */
void kma_page_times_deinit(struct kma_page_times *times);

/**
 * kma_page_times_points() - write the date, the name and the losses of each time
 * @times: all times; nothing is written if there is only one
 * @out: a member of a JSON object is appended
 */
void kma_page_times_points(const struct kma_page_times *times, struct kma_strbuf *out);

typedef uint64_t (*kma_page_number_fn)(const void *arg, const struct kma_values *values);

/**
 * kma_page_times_back() - write the differences of a metric, from the second newest time back
 * @times: all times; nothing is written if there is only one
 * @get: returns the number of a leaf in the column
 * @arg: passed to @get
 * @out: a member of a JSON object is appended
 */
void kma_page_times_back(const struct kma_page_times *times, kma_page_number_fn get,
			 const void *arg, struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_TIMES_H */

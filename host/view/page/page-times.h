/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-times.h - the numbers of a page over time. The columns of the metrics have the newest ones;
 * each earlier time has what differs from the one after it.
 */
#ifndef KMA_VIEW_PAGE_PAGE_TIMES_H
#define KMA_VIEW_PAGE_PAGE_TIMES_H

#include "page-rows.h"

struct kma_page_times {
	const struct kma_chart_times *chart;
	struct kma_values *values; /* of each leaf of the page, time by time */
	size_t nr;		   /* times; 0: the page is of one */
	size_t nr_leaves;
};

/**
 * kma_page_times_init() - collect the numbers of all times
 * @times: filled in; to be deinitialised in any case
 * @rows: of a tree
 * @all: the times of the tree, which has the numbers of the newest one then; NULL: it has one time
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_page_times_init(struct kma_page_times *times, const struct kma_page_rows *rows,
				    const struct kma_chart_times *all);

/**
 * kma_page_times_deinit() - free the numbers
 * @times: from kma_page_times_init()
 */
void kma_page_times_deinit(struct kma_page_times *times);

/**
 * kma_page_times_points() - write when and what each time is
 * @times: all times; nothing is written of a page of one
 * @out: a member of a JSON object is appended
 */
void kma_page_times_points(const struct kma_page_times *times, struct kma_strbuf *out);

typedef uint64_t (*kma_page_number_fn)(const void *arg, const struct kma_values *values);

/**
 * kma_page_times_back() - write the columns of a metric, from the newest time but one back
 * @times: all times; nothing is written of a page of one
 * @get: number of a leaf in the column
 * @arg: handed to it
 * @out: a member of a JSON object is appended
 */
void kma_page_times_back(const struct kma_page_times *times, kma_page_number_fn get,
			 const void *arg, struct kma_strbuf *out);

#endif /* KMA_VIEW_PAGE_PAGE_TIMES_H */

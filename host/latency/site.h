/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - the call site that waited.
 */
#ifndef KMA_LATENCY_SITE_H
#define KMA_LATENCY_SITE_H

#include "analysis.h"

/**
 * kma_lat_site() - find the caller of an allocating function
 * @lat: the analysis
 * @task: the task; a stack that is used does not apply to the next call
 * @line: where the function ended
 *
 * Return: the site, valid until the next stack; empty if unknown.
 */
struct kma_lat_text kma_lat_site(const struct kma_lat *lat, struct kma_lat_task *task,
				 const struct kma_lat_line *line);

/**
 * kma_lat_settle() - count the wait that has ended, now that its site is known
 * @lat: the analysis
 * @task: may have no wait that has ended
 * @site: NULL: unknown
 */
void kma_lat_settle(struct kma_lat *lat, struct kma_lat_task *task,
		    const struct kma_lat_text *site);

/**
 * kma_lat_stack_begin() - start to read the lines of a stack
 * @lat: the analysis
 * @task: the task of the stack
 * @line: its heading
 */
void kma_lat_stack_begin(struct kma_lat *lat, struct kma_lat_task *task,
			 const struct kma_lat_line *line);

/**
 * kma_lat_stack_frame() - the next one of the stack
 * @lat: the analysis
 * @frame: function, offset, module
 */
void kma_lat_stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame);

/**
 * kma_lat_stack_end() - it had no more
 * @lat: the analysis; there need not have been one
 */
void kma_lat_stack_end(struct kma_lat *lat);

#endif /* KMA_LATENCY_SITE_H */

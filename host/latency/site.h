/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - find the call site that waited.
 *
 * If rows are by site, a wait that has ended is not counted at once, because its stack may follow.
 * It is held in its task (kma_lat_task.ended). The next line of the task that is not a stack, or
 * the end of its stack, settles it.
 */
#ifndef KMA_LATENCY_SITE_H
#define KMA_LATENCY_SITE_H

#include "analysis.h"

/**
 * kma_lat_site() - find the caller of an allocating function
 * @lat: the analysis
 * @task: the task; its stored stack is used up
 * @line: the end of the function
 *
 * Return: the site, valid until the next stack; empty if unknown.
 */
struct kma_lat_text kma_lat_site(const struct kma_lat *lat, struct kma_lat_task *task,
				 const struct kma_lat_line *line);

/**
 * kma_lat_settle() - count the held wait of a task, now that its site is known
 * @lat: the analysis
 * @task: the task; it may have no held wait
 * @site: the site; NULL: unknown
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
 * kma_lat_stack_frame() - read the next frame of the stack
 * @lat: the analysis
 * @frame: function, offset, module
 */
void kma_lat_stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame);

/**
 * kma_lat_stack_end() - end the stack, and settle the wait that it belongs to
 * @lat: the analysis; no stack need have begun
 */
void kma_lat_stack_end(struct kma_lat *lat);

#endif /* KMA_LATENCY_SITE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - the waits of allocations and their causes, from function_graph text with the
 * tracepoints of vmscan and compaction, line by line.
 *
 * The selection of tracepoints follows the RFC "scripts: Include postprocessing script for memory
 * allocation tracing" (Janani Ravichandran, 2016): only those that belong to a function, or to a
 * shrinker's run, over the threshold. A function that took exactly the threshold counts as over it,
 * as in the kernel, which leaves out the others. A shrinker's run counts only if it took longer.
 *
 * Lines are copied unchanged. Nothing is guessed: a pair of events with a gap in between, or whose
 * clock went back, is counted but not timed.
 *
 * Stacks (a stacktrace trigger of the events that end a wait) show the allocating code: the first
 * frame outside the allocating function and outside every allocator. If the log has all calls, not
 * only slow ones, it is the enclosing function.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LATENCY_LATENCY_H
#define KMA_LATENCY_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "sums.h"

struct kma_lat;

/**
 * kma_lat_is_log() - is this the beginning of a log?
 * @text: the beginning of a file, which need not be text
 * @len: bytes
 * @calls: is a line among the first ones of function_graph itself?
 *
 * Return: true if a line among the first ones is of function_graph, or one of the events.
 */
bool kma_lat_is_log(const char *text, size_t len, bool *calls);

/**
 * kma_lat_create() - nothing was read yet
 * @opts: copied
 * @ret: the analysis
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_lat_create(const struct kma_lat_options *opts, struct kma_lat **ret);

/**
 * kma_lat_destroy() - free all
 * @lat: from kma_lat_create(); NULL is fine
 */
void kma_lat_destroy(struct kma_lat *lat);

/**
 * kma_lat_text() - read some lines
 * @lat: the analysis
 * @text: whole lines; a last line without a newline is a truncated line
 * @len: bytes
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_lat_text(struct kma_lat *lat, const char *text, size_t len);

/**
 * kma_lat_end() - end the input: calls in progress have no end event
 * @lat: the analysis
 */
void kma_lat_end(struct kma_lat *lat);

/**
 * kma_lat_sums() - what was found
 * @lat: the analysis
 *
 * Return: sums, that stay with it and go on while it reads.
 */
const struct kma_lat_sums *kma_lat_sums(const struct kma_lat *lat);

/**
 * kma_lat_rows() - the rows
 * @lat: the analysis
 *
 * Return: rows by enum kma_lat_of.
 */
const struct kma_lat_rows *kma_lat_rows(const struct kma_lat *lat);

#endif /* KMA_LATENCY_LATENCY_H */

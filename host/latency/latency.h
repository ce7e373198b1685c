/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency.h - analyse how long allocations wait, and for what, from the text of function_graph with
 * the tracepoints of vmscan and compaction.
 *
 * The log is read line by line, once. Each task of the log has a state (task.h). A begin event
 * opens a wait, and its end event closes it. The end of an allocating function gives the duration
 * of an allocation, and the waits inside it are its causes (share.h). Durations become statistics,
 * in total by cause and in rows by a key that the caller chooses (stat.h, sums.h).
 *
 * Lines are shown (copied unchanged) as in the RFC "scripts: Include postprocessing script for
 * memory allocation tracing" (Janani Ravichandran, 2016): functions over the threshold, and the
 * tracepoints that belong to such a function or to such a run of a shrinker. A function that took
 * exactly the threshold counts as over it, as in the kernel, which leaves out faster ones. A
 * shrinker's run counts only if it took longer.
 *
 * Nothing is guessed: a pair of events between which events were lost, or whose clock went back, is
 * counted but not timed. All losses are counted by kind (enum kma_lat_loss).
 *
 * The call site of a wait comes from the stack that a trigger prints after the event that ends the
 * wait: it is the first frame outside the allocating function and outside every allocator. Without
 * a stack it is the enclosing function, if the log has all calls and not only slow ones.
 *
 * Memory is bounded: at most 65,536 tasks, 8,192 rows and 8,192 names of shrinkers.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LATENCY_LATENCY_H
#define KMA_LATENCY_LATENCY_H

#include <stdbool.h>
#include <stddef.h>

#include "sums.h"

struct kma_lat;

/**
 * kma_lat_is_log() - test whether a file is such a log
 * @text: the beginning of the file, which need not be text
 * @len: bytes of @text
 * @calls: true if one of the first lines is a call of a function
 *
 * Return: true if one of the first lines is a call of a function, or one of the tracepoints.
 */
bool kma_lat_is_log(const char *text, size_t len, bool *calls);

struct kma_lat *kma_lat_create(const struct kma_lat_options *opts);
void kma_lat_destroy(struct kma_lat *lat);

/* Read whole lines; a last line without a newline counts as truncated. */
void kma_lat_text(struct kma_lat *lat, const char *text, size_t len);

/* End the input: waits in progress have no end event. */
void kma_lat_end(struct kma_lat *lat);

/* The sums, valid as long as @lat, which change while lines are read. */
const struct kma_lat_sums *kma_lat_sums(const struct kma_lat *lat);

/* The rows, by enum kma_lat_of, valid as long as @lat. */
const struct kma_lat_rows *kma_lat_rows(const struct kma_lat *lat);

#endif /* KMA_LATENCY_LATENCY_H */

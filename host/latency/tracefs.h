/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - set tracing up for an analysis, and put back what was changed: the RFC's
 * setup_alloc_trace.sh. In an instance of its own where the kernel has function_graph there,
 * else in the one that all share, if nobody uses it.
 *
 * Each change is noted in a file first. kma_tracefs_close() puts back in reverse; after a
 * SIGKILL the next kma_tracefs_open() finds the note and does it.
 *
 * Never done: clearing a buffer that somebody else fills, unless he is told to (force).
 *
 * Locking: one thread. The note is locked while it is in use, so that two do not run at once.
 */
#ifndef KMA_LATENCY_TRACEFS_H
#define KMA_LATENCY_TRACEFS_H

#include <stdbool.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_tracefs;

/**
 * kma_tracefs_open() - find tracefs, put back what was left set up
 * @dir: where it is; NULL: at one of its two usual places
 * @note: name of the note
 * @ret: tracefs
 *
 * Return: NULL; or an error: it is not there, no right, another one runs.
 */
struct kma_err *kma_tracefs_open(const char *dir, const char *note, struct kma_tracefs **ret);

/* What is to be set up. */
struct kma_tracefs_setup {
	unsigned long threshold; /* us, more than 0 */
	bool force;		 /* also when somebody else traces */
	bool stacks;		 /* of who has waited, by triggers */
	bool switches;		 /* sched_switch, interrupts and softirqs, too */
};

/**
 * kma_tracefs_begin() - set up
 * @fs: from kma_tracefs_open()
 * @setup: what
 * @missing: appended to: functions, events and triggers that this kernel does not have, ", "
 *	between
 *
 * Return: NULL or an error; kma_tracefs_close() is needed in any case.
 */
struct kma_err *kma_tracefs_begin(struct kma_tracefs *fs, const struct kma_tracefs_setup *setup,
				  struct kma_strbuf *missing);

/**
 * kma_tracefs_pipe() - what to read
 * @fs: after kma_tracefs_begin()
 *
 * Return: name of its trace_pipe; stays with @fs.
 */
const char *kma_tracefs_pipe(const struct kma_tracefs *fs);

/**
 * kma_tracefs_leave() - let it be set up, until the next kma_tracefs_open()
 * @fs: from kma_tracefs_open(); is freed
 */
void kma_tracefs_leave(struct kma_tracefs *fs);

/**
 * kma_tracefs_close() - put back what was changed
 * @fs: from kma_tracefs_open(); NULL is fine
 *
 * Return: NULL or the first error; all is tried.
 */
struct kma_err *kma_tracefs_close(struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_H */

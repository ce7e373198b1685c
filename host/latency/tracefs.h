/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - sets up tracing for an analysis and restores the settings, as the RFC's
 * setup_alloc_trace.sh does. It uses an instance of its own if the kernel has function_graph there,
 * else the shared instance, if no other program uses it.
 *
 * The old value of each setting is stored in a file first. kma_tracefs_close() restores them in
 * reverse order; after a SIGKILL the next kma_tracefs_open() finds the file and restores them.
 *
 * A buffer that another program fills is never cleared, unless the user requests it (force).
 *
 * Locking: one thread. The file is locked while it is in use, so two programs cannot run at the
 * same time.
 */
#ifndef KMA_LATENCY_TRACEFS_H
#define KMA_LATENCY_TRACEFS_H

#include <stdbool.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_tracefs;

/**
 * kma_tracefs_open() - find tracefs, and restore settings of a killed program
 * @dir: where it is; NULL: at one of its two usual places
 * @note: name of the note
 * @ret: tracefs
 *
 * Return: NULL; or an error: not found, no permission, or another program is running.
 */
struct kma_err *kma_tracefs_open(const char *dir, const char *note, struct kma_tracefs **ret);

/* The settings of the tracing. */
struct kma_tracefs_setup {
	unsigned long threshold; /* us, more than 0 */
	bool force;		 /* also if another program traces */
	bool stacks;		 /* stacks of waiting tasks, by triggers */
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
 * kma_tracefs_close() - restore all settings
 * @fs: from kma_tracefs_open(); NULL is fine
 *
 * Return: NULL or the first error; all steps are attempted.
 */
struct kma_err *kma_tracefs_close(struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_H */

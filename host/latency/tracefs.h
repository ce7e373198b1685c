/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - set up tracing for an analysis, and restore the settings, as the RFC's
 * setup_alloc_trace.sh does.
 *
 * If the kernel has function_graph in instances, an instance of our own is used; otherwise the
 * shared one, if no other program uses it. A buffer that another program fills is never cleared,
 * unless the user requests it (force).
 *
 * Before a setting is changed, its old value is appended to a file, the note (tracefs.c).
 * kma_tracefs_close() restores the settings from the last change to the first. After a SIGKILL the
 * next kma_tracefs_open() finds the note and restores them.
 *
 * Locking: none; one thread. The note is locked (flock(2)) while it is in use, so two programs
 * cannot run at the same time.
 */
#ifndef KMA_LATENCY_TRACEFS_H
#define KMA_LATENCY_TRACEFS_H

#include <stdbool.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_tracefs;

/*
 * Find tracefs, and restore the settings of a killed program. @dir: NULL for the two usual places;
 * @note: name of the note. Fails without a tracefs or a privilege, or if another program runs.
 */
struct kma_err *kma_tracefs_open(const char *dir, const char *note, struct kma_tracefs **ret);

/* The settings of the tracing. */
struct kma_tracefs_setup {
	unsigned long threshold; /* us, more than 0: faster functions are not logged */
	bool force;		 /* replace settings of another program for a while */
	bool stacks;		 /* log stacks of waiting tasks, by triggers */
	bool switches;		 /* log sched_switch, interrupts and softirqs, too */
};

/*
 * Set up tracing and switch it on. @missing: functions, events and triggers that this kernel does
 * not have are appended, separated by ", ". kma_tracefs_close() must be called in any case.
 */
struct kma_err *kma_tracefs_begin(struct kma_tracefs *fs, const struct kma_tracefs_setup *setup,
				  struct kma_strbuf *missing);

/* Path of trace_pipe, valid as long as @fs, after kma_tracefs_begin() has succeeded. */
const char *kma_tracefs_pipe(const struct kma_tracefs *fs);

/*
 * Write the current names of shrinkers into the log. @shrinkers: their directory in debugfs. An
 * error has the reason why there will be none, and further calls do nothing: the kernel has no
 * names, or a privilege is missing.
 */
struct kma_err *kma_tracefs_names(struct kma_tracefs *fs, const char *shrinkers);

/* Lists of names in the log; 0 if there will be none. */
unsigned int kma_tracefs_lists(const struct kma_tracefs *fs);

/* Free @fs but leave tracing set up, until the next kma_tracefs_open(). */
void kma_tracefs_leave(struct kma_tracefs *fs);

/* Restore all settings. All steps are attempted; the first error is returned. */
struct kma_err *kma_tracefs_close(struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_H */

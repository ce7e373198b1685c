/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - set up tracing for an analysis, and restore the settings, as the RFC's
 * setup_alloc_trace.sh does.
 *
 * If the kernel has function_graph in instances, an instance of our own is used; otherwise the
 * shared one, if no other program uses it. A buffer that another program fills is never cleared,
 * unless the user requests it (force).
 *
 * Before a setting is changed, its old value is appended to a file, the note (tracefs-file.c).
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

/**
 * kma_tracefs_open() - find tracefs, and restore the settings of a killed program
 * @dir: its directory; NULL: one of the two usual places
 * @note: name of the note
 * @ret: tracefs
 *
 * Return: NULL, or an error: tracefs was not found, a privilege is missing, or another program
 * runs.
 */
struct kma_err *kma_tracefs_open(const char *dir, const char *note, struct kma_tracefs **ret);

/* The settings of the tracing. */
struct kma_tracefs_setup {
	unsigned long threshold; /* us, more than 0: faster functions are not logged */
	bool force;		 /* replace settings of another program for a while */
	bool stacks;		 /* log stacks of waiting tasks, by triggers */
	bool switches;		 /* log sched_switch, interrupts and softirqs, too */
};

/**
 * kma_tracefs_begin() - set up tracing and switch it on
 * @fs: from kma_tracefs_open()
 * @setup: the settings
 * @missing: appended: functions, events and triggers that this kernel does not have, separated by
 *	", "
 *
 * Return: NULL or an error; kma_tracefs_close() must be called in any case.
 */
struct kma_err *kma_tracefs_begin(struct kma_tracefs *fs, const struct kma_tracefs_setup *setup,
				  struct kma_strbuf *missing);

/**
 * kma_tracefs_pipe() - get the file to read
 * @fs: kma_tracefs_begin() has succeeded
 *
 * Return: path of its trace_pipe, valid as long as @fs.
 */
const char *kma_tracefs_pipe(const struct kma_tracefs *fs);

/* Free @fs but leave tracing set up, until the next kma_tracefs_open(). */
void kma_tracefs_leave(struct kma_tracefs *fs);

/**
 * kma_tracefs_close() - restore all settings
 * @fs: from kma_tracefs_open(); NULL is fine
 *
 * Return: NULL or the first error; all steps are attempted.
 */
struct kma_err *kma_tracefs_close(struct kma_tracefs *fs);

#endif /* KMA_LATENCY_TRACEFS_H */

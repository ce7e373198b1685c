/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - record the module's event log, as kmemtraced did. A thread for each CPU reads its
 * stream (streams.h). The main thread waits for the end of the recording. The log is on between the
 * first and the last byte only, and its buffers are released at the end.
 *
 * The module returns a sub-buffer when it is full. On a quiet machine that takes long, and a killed
 * recorder would have written nothing. The recorder therefore flushes at an interval: it makes the
 * module return partly filled sub-buffers, waits until they are written, and syncs the file. The
 * next flush starts after that. If the recorder or the machine ends, only the events since the last
 * flush but one are lost, which are those of one interval and of the time of the sync.
 *
 * The buffers of a killed recorder contain events that exist nowhere else. The next recorder takes
 * over that log (attach), or saves it as OUTPUT.unread and frees the buffers before it starts its
 * own log. A log that another program has switched on is not changed.
 *
 * Names of call sites are not in the log: /proc/kallsyms goes with it. So do the names and cgroups of
 * tasks (tasks.h), because an event has only the number of its thread.
 *
 * Locking: that of streams.h. Signals are blocked except while this thread waits, so that no signal
 * is missed between the check and the wait.
 */
#ifndef KMA_RECORD_RECORD_H
#define KMA_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_record_options {
	const char *root;   /* see kma_target_open() */
	const char *output; /* "-" is the standard output */
	bool zstd;
	bool no_symbols;
	bool no_tasks;		   /* neither names nor cgroups of tasks */
	bool attach;		   /* take the log that is there, see kma_target_begin() */
	double duration;	   /* s; 0: without end */
	uint64_t size;		   /* bytes; 0: any */
	double flush;		   /* s between two flushes */
	unsigned long subbufs;	   /* 0: as they are */
	unsigned long subbuf_size; /* the same */
	char **command;		   /* command to run while recording, or NULL */
};

enum kma_record_phase {
	KMA_RECORD_LEFT,    /* a killed recorder's unread data are in a file of their own */
	KMA_RECORD_TASKS,   /* tasks cannot be followed while the log is on */
	KMA_RECORD_SYMBOLS, /* reading the kernel's symbols: nothing is recorded yet */
	KMA_RECORD_ON,	    /* every event from here on is recorded */
};

enum kma_record_end {
	KMA_RECORD_BY_SIGNAL,
	KMA_RECORD_BY_DURATION,
	KMA_RECORD_BY_SIZE,
	KMA_RECORD_BY_COMMAND,
	KMA_RECORD_BY_LOG, /* another program switched the log off */
	KMA_RECORD_BY_ERROR,
};

struct kma_record_state {
	enum kma_record_phase phase;
	double seconds;
	const char *output;	/* KMA_RECORD_LEFT: the file; valid during the call */
	const char *why;	/* KMA_RECORD_TASKS: the reason; the same */
	uint64_t bytes;		/* written */
	uint64_t records, lost; /* as the module counts; 0 when it does not say */
	enum kma_record_end end;
	int status; /* of the command, as waitpid(2) has it */
};

/**
 * kma_record() - record
 * @opts: what and how
 * @watch: called when a phase begins, and twice a second while it records; may be NULL
 * @arg: for @watch
 * @ret: how it ended
 *
 * SIGINT, SIGTERM and SIGHUP end the recording, not the program. When the output cannot take
 * more, what is there is kept, and the error says so.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_record(const struct kma_record_options *opts,
			   void (*watch)(void *arg, const struct kma_record_state *state),
			   void *arg, struct kma_record_state *ret);

#endif /* KMA_RECORD_RECORD_H */

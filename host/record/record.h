/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - record the module's event log into a file, as kmemtraced did.
 *
 * A thread for each CPU copies that CPU's stream to the output. The main thread
 * switches the log on, waits for the end of the recording, and switches it off. The buffers of the
 * module are freed at the end.
 *
 * The module hands out a sub-buffer when it is full. On a quiet machine that takes long, and a
 * killed recorder would have written nothing. The recorder therefore flushes at an interval: it
 * makes the module hand out partly filled sub-buffers, waits until they are written, and syncs the
 * file. The next flush starts after that. If the recorder or the machine dies, only the events
 * since the last flush but one are lost: those of one interval and of the time of the sync.
 *
 * The buffers of a killed recorder contain events that exist nowhere else. The next recorder takes
 * over that log (attach), or saves it as OUTPUT.unread and frees the buffers before it starts its
 * own log. A log that another program has switched on is not changed.
 *
 * The log has only addresses of call sites and numbers of threads. The recorder adds the symbols of
 * /proc/kallsyms, and the names and cgroups of tasks.
 *
 * Locking: none outside record.c. Signals are blocked except while the main thread waits, so that
 * no signal is missed between the check and the wait.
 */
#ifndef KMA_RECORD_RECORD_H
#define KMA_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_record_options {
	const char *root;	   /* prefix of /proc, /sys and /run; "": this machine */
	const char *output;	   /* file; "-": the standard output */
	bool zstd;		   /* compress */
	bool no_symbols;	   /* leave out the kernel's symbols */
	bool no_tasks;		   /* leave out names and cgroups of tasks */
	bool attach;		   /* take over a log that is on or has unread data */
	double duration;	   /* s; 0: no limit */
	uint64_t size;		   /* bytes of the output; 0: no limit */
	double flush;		   /* s between two flushes */
	unsigned long subbufs;	   /* number of sub-buffers per CPU; 0: unchanged */
	unsigned long subbuf_size; /* bytes of a sub-buffer; 0: unchanged */
	/*
	 * Command to run while recording, or NULL. If the log goes to the standard output, the
	 * command gets the standard error as its standard output.
	 */
	char **command;
};

enum kma_record_phase {
	KMA_RECORD_LEFT,    /* the unread data of a killed recorder were saved in another file */
	KMA_RECORD_TASKS,   /* changes of tasks cannot be followed while the log is on */
	KMA_RECORD_SYMBOLS, /* the kernel's symbols are read; nothing is recorded yet */
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
	double seconds;		/* since the log was switched on */
	const char *output;	/* KMA_RECORD_LEFT: the file; valid during the call */
	const char *why;	/* KMA_RECORD_TASKS: the reason; valid during the call */
	uint64_t bytes;		/* bytes of the output */
	uint64_t records, lost; /* as the module counts them; 0 if it does not report them */
	enum kma_record_end end;
	int status;  /* exit status of the command, as from waitpid(2) */
	int not_run; /* errno if the command could not be run; otherwise 0 */
};

/*
 * Does the log go to the standard output: is the output "-", or another name of its pipe or file,
 * such as /dev/stdout? The command then gets the standard error as its standard output. A device
 * such as /dev/null has no log that a command can corrupt.
 */
bool kma_record_has_stdout(const struct kma_record_options *opts);

/*
 * Records until the end, and says in @ret how it came. @watch is called when a phase begins, and
 * twice a second while recording; it may be NULL. SIGINT, SIGTERM and SIGHUP end the recording, not
 * the program. If the output cannot be written, what was written before is kept.
 */
struct kma_err *kma_record(const struct kma_record_options *opts,
			   void (*watch)(void *arg, const struct kma_record_state *state),
			   void *arg, struct kma_record_state *ret);

#endif /* KMA_RECORD_RECORD_H */

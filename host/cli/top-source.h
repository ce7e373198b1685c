/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-source.h - the input of top: a file that is read repeatedly (session/refresh.h), accounts on
 * the standard input (session/remote.h), or the samples of a history (session/replay.h).
 *
 * A file is read at each interval. Of the accounts on the standard input, the newest is shown at
 * each interval; in batch mode every account is printed. A history starts paused, and keys select a
 * sample; when it is not paused, each interval shows the next sample, up to the newest.
 */
#ifndef KMA_CLI_TOP_SOURCE_H
#define KMA_CLI_TOP_SOURCE_H

#include <sys/utsname.h>

#include "lib/notes.h"
#include "session/refresh.h"
#include "session/remote.h"
#include "session/replay.h"
#include "view/screen/top.h"

#define KMA_TOP_MEMINFO "/proc/meminfo"

struct kma_top_source {
	const char *path;    /* the account, "-" is the standard input; of a replay DIR[@TIME] */
	const char *meminfo; /* of the account's machine; NULL: this machine's, for its accounts */
	struct kma_refresh refresh;
	struct kma_remote remote;
	bool is_remote;		    /* the accounts are read from the standard input */
	bool ended;		    /* the standard input has ended */
	struct kma_replay *replay;  /* NULL: not a history */
	struct kma_top_facts facts; /* what the screen shows; refers to this struct */
	struct kma_notes notes;	    /* why a kernel cannot be used; unreadable parts of a history */
	size_t said;		    /* bytes of the notes that were printed */
	struct utsname here;
	char clock[64], time[32]; /* texts of @facts */
	char *trouble;		  /* sentence of the last error; NULL: the last read succeeded */
};

/**
 * kma_top_source_open() - open an input
 * @source: filled in; has to be closed by kma_top_source_close() also after an error
 * @path: the account, or DIR[@TIME] of a replay; the text has to live as long as @source
 * @meminfo: as in the struct
 * @replay: @path is a history directory
 * @all: skip nothing: start with the oldest sample of a history unless TIME is given, and show
 *	each account of the standard input
 * @query: the kernel's files
 *
 * Return: NULL or an error: out of memory, not a history, no sample.
 */
struct kma_err *kma_top_source_open(struct kma_top_source *source, const char *path,
				    const char *meminfo, bool replay, bool all,
				    const struct kma_kernel_query *query);

/**
 * kma_top_source_news() - get the next sentence that was not printed yet
 * @source: from kma_top_source_open()
 *
 * Return: a sentence, which belongs to the source; NULL if there is none.
 */
const char *kma_top_source_news(struct kma_top_source *source);

/**
 * kma_top_source_close() - close the input
 * @source: from kma_top_source_open()
 */
void kma_top_source_close(struct kma_top_source *source);

/**
 * kma_top_source_wait() - wait for an account on the standard input
 * @source: open
 * @ms: longest wait in milliseconds
 *
 * Return: true if an account or the end has arrived; always true, at once, for other inputs.
 */
bool kma_top_source_wait(struct kma_top_source *source, unsigned int ms);

/**
 * kma_top_source_read() - read the account, or the selected sample
 * @source: open; its facts get the numbers
 * @state: gets the columns and groups that the account has
 *
 * After an error the numbers stay those of the previous read, and @source->trouble has the reason.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_top_source_read(struct kma_top_source *source, struct kma_top_state *state);

/**
 * kma_top_source_rebase() - make the last numbers the baseline
 * @source: was read
 */
void kma_top_source_rebase(struct kma_top_source *source);

/**
 * kma_top_source_go() - select the sample that a key requests, and read it
 * @source: of a replay
 * @state: its requests are cleared; its message has the reason if there is no such sample
 *
 * Return: as kma_top_source_read().
 */
struct kma_err *kma_top_source_go(struct kma_top_source *source, struct kma_top_state *state);

/**
 * kma_top_source_tick() - read the input after an interval
 * @source: was read
 * @state: is paused, with a message, at the newest sample of a replay
 *
 * Return: as kma_top_source_read().
 */
struct kma_err *kma_top_source_tick(struct kma_top_source *source, struct kma_top_state *state);

#endif /* KMA_CLI_TOP_SOURCE_H */

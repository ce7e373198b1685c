/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * top-source.h - where the numbers of top come from: an account that is read again and again, the
 * accounts on the standard input, or the samples of a history folder.
 *
 * A live account is read at each interval, and of a pipe the newest account is taken (in batch mode
 * each of them). A history is paused until a key asks for another
 * sample; when it is not paused, each interval shows the next sample, until the newest.
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
	const char *path;    /* the account, "-" is a pipe; of a replay, DIR@TIME as typed */
	const char *meminfo; /* of the account's machine; NULL: this machine's, for its accounts */
	struct kma_refresh refresh;
	struct kma_remote remote;
	bool is_remote;		   /* the accounts come from the standard input */
	bool ended;		   /* the input has ended */
	struct kma_replay *replay; /* NULL: a live account */
	struct kma_top_facts facts;
	struct kma_notes notes; /* why a kernel is of no use; what of a history cannot be read */
	size_t said;		/* bytes of the notes that the user has seen */
	struct utsname here;
	char clock[64], time[32];
	char *trouble;
};

/**
 * kma_top_source_open() - get ready to read
 * @source: filled in; to be given to kma_top_source_close() in any case
 * @path: the account, or DIR[@TIME] of a replay; stays the caller's
 * @meminfo: as in the struct
 * @replay: @path is a history folder
 * @all: pass nothing over: begin with the oldest sample of a history unless TIME is given, and
 *	take each account of a pipe
 * @query: where files are known
 *
 * Return: NULL or an error: memory, no history, no sample.
 */
struct kma_err *kma_top_source_open(struct kma_top_source *source, const char *path,
				    const char *meminfo, bool replay, bool all,
				    const struct kma_kernel_query *query);

/**
 * kma_top_source_news() - get the next sentence that the user has not seen yet
 * @source: from kma_top_source_open()
 *
 * Return: a sentence, which stays the source's; NULL if there is none.
 */
const char *kma_top_source_news(struct kma_top_source *source);

/**
 * kma_top_source_close() - free all
 * @source: as filled in
 */
void kma_top_source_close(struct kma_top_source *source);

/**
 * kma_top_source_wait() - wait for an account that comes by a pipe
 * @source: open
 * @ms: at most so long
 *
 * Return: true if there is one, or its end; at once for all other sources.
 */
bool kma_top_source_wait(struct kma_top_source *source, unsigned int ms);

/**
 * kma_top_source_read() - read the account, or the sample that is wanted
 * @source: open; its facts are the numbers
 * @state: learns which columns and groups there are
 *
 * Return: NULL; or an error, which is also the trouble of the facts.
 */
struct kma_err *kma_top_source_read(struct kma_top_source *source, struct kma_top_state *state);

/**
 * kma_top_source_rebase() - make the last numbers the baseline
 * @source: was read
 */
void kma_top_source_rebase(struct kma_top_source *source);

/**
 * kma_top_source_go() - go to the sample that a key asked for, and read it
 * @source: of a replay
 * @state: its requests are cleared; its message says why there is no such sample
 *
 * Return: as kma_top_source_read().
 */
struct kma_err *kma_top_source_go(struct kma_top_source *source, struct kma_top_state *state);

/**
 * kma_top_source_tick() - read what comes after an interval; a replay pauses at the newest sample
 * @source: was read
 * @state: is paused, with a message, at the end of a replay
 *
 * Return: as kma_top_source_read().
 */
struct kma_err *kma_top_source_tick(struct kma_top_source *source, struct kma_top_state *state);

#endif /* KMA_CLI_TOP_SOURCE_H */

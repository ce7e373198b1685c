/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - where a reader's bytes come from: a file, a pipe, the standard input,
 * each perhaps compressed with gzip, xz or zstd. What is a plain file is mapped
 * and not copied; all else passes through one buffer, so that memory does not
 * grow with the input.
 *
 * A reader takes block after block, each ending at the end of a line, or has the
 * whole as a file that a library can open.
 *
 * Locking: none. One thread at a time has an input; kma_input_stop() may be
 * called by any thread and by a handler of a signal.
 */
#ifndef KMA_INPUT_INPUT_H
#define KMA_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* No line that is up to this long is given in pieces. */
#define KMA_INPUT_LINE_MAX (1U << 20)

struct kma_input;

/* For an event log: start and end of the interval, in ns since the start of the log. */
struct kma_interval {
	bool is;
	uint64_t from, to; /* @to: 0 is to the end */
};

/**
 * kma_input_open() - open an input and look at its beginning
 * @path: its name; "-" is the standard input
 * @ret: the input
 *
 * Waits for the first bytes of a pipe.
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_input_open(const char *path, struct kma_input **ret);

/**
 * kma_input_pipe() - make an input of a pipe
 * @name: for messages
 * @fd: its end to read from; closed with the input, and in an error
 * @ret: the input
 *
 * Waits for the first bytes.
 *
 * Return: NULL, or an error that names @name.
 */
struct kma_err *kma_input_pipe(const char *name, int fd, struct kma_input **ret);

/**
 * kma_input_memory() - bytes in memory as an input, for tests
 * @name: for messages
 * @bytes: plain, not packed; have to live as long as the input
 * @len: how many
 * @block: bytes of a block at most, so that few bytes have several; 0 is as in files
 * @ret: the input
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_input_memory(const char *name, const char *bytes, size_t len, size_t block,
				 struct kma_input **ret);

/**
 * kma_input_close() - close it, free all
 * @input: from kma_input_open(); NULL is fine
 */
void kma_input_close(struct kma_input *input);

/**
 * kma_input_name() - for messages
 * @input: an input
 *
 * Return: the path, or "standard input"; stays with the input.
 */
const char *kma_input_name(const struct kma_input *input);

/**
 * kma_input_head() - return the decompressed start of an input without consuming it
 * @input: nothing was consumed yet
 * @head: 64 KiB, or the whole input; not terminated; valid until something is consumed
 * @len: bytes of it
 *
 * Waits for them.
 *
 * Return: NULL, or an error that names the input: not readable, corrupt, truncated.
 */
struct kma_err *kma_input_head(struct kma_input *input, const char **head, size_t *len);

/**
 * kma_input_block() - consume some lines
 * @input: an input
 * @text: whole lines; the last one of the input may lack its end. Valid until the next call
 * @len: bytes of @text, 0 at the end of the input
 *
 * A line that is longer than KMA_INPUT_LINE_MAX may come in pieces; @text then does not end with a
 * newline. From a slow pipe, the function returns the lines that are available. After
 * kma_input_stop() it returns the whole lines that were read, and then the end, within half a
 * second.
 *
 * Return: NULL, or an error that names the input: not readable, damaged, cut short.
 */
struct kma_err *kma_input_block(struct kma_input *input, const char **text, size_t *len);

/**
 * kma_input_path() - return the path of a file that libraries can open
 * @input: nothing was taken yet
 * @ret: path of a plain file with the decompressed content; owned by the input
 *
 * An input that is not a plain file, or is compressed, is written to a temporary file without a
 * name, in $TMPDIR or /tmp. The file disappears when the input is closed.
 *
 * Return: NULL, or an error that names the input.
 */
struct kma_err *kma_input_path(struct kma_input *input, const char **ret);

/**
 * kma_input_progress() - report how much of the input was consumed
 * @input: an input
 * @done: bytes of the file that were consumed (compressed, if the file is)
 * @size: size of the file, 0 if unknown
 */
void kma_input_progress(const struct kma_input *input, uint64_t *done, uint64_t *size);

/**
 * kma_input_set_done() - say how far it is, where a library reads the file
 * @input: kma_input_path() was called
 * @done: bytes of the file
 */
void kma_input_set_done(struct kma_input *input, uint64_t done);

/**
 * kma_input_watch() - have a function called while the input is read
 * @input: an input
 * @fn: called by the reading thread, at each block and twice a second while it waits
 * @arg: for @fn
 */
void kma_input_watch(struct kma_input *input, void (*fn)(const struct kma_input *input, void *arg),
		     void *arg);

/**
 * kma_input_set_interval() - say that only some of a log is wanted
 * @input: nothing was taken yet
 * @interval: copied
 */
void kma_input_set_interval(struct kma_input *input, const struct kma_interval *interval);

/**
 * kma_input_set_tasks() - request that readers distinguish the tasks of a log
 * @input: an input of which nothing was read yet
 * @tasks: true: distinguish them
 */
void kma_input_set_tasks(struct kma_input *input, bool tasks);

/**
 * kma_input_tasks() - check whether readers distinguish the tasks of a log
 * @input: the input
 *
 * Return: true if they do.
 */
bool kma_input_tasks(const struct kma_input *input);

/**
 * kma_input_set_cgroups() - say that the cgroups of an event log's tasks are to be told apart
 * @input: the input, nothing was taken yet
 * @cgroups: whether
 */
void kma_input_set_cgroups(struct kma_input *input, bool cgroups);

/**
 * kma_input_cgroups() - are the cgroups of an event log's tasks to be told apart?
 * @input: the input
 *
 * Return: as kma_input_set_cgroups() has said; false without it.
 */
bool kma_input_cgroups(const struct kma_input *input);

/**
 * kma_input_interval() - what of a log is wanted
 * @input: an input
 *
 * Return: as it was set; stays with the input.
 */
const struct kma_interval *kma_input_interval(const struct kma_input *input);

/**
 * kma_input_stop() - let all inputs end here
 *
 * For a handler of SIGINT: they end at the next block, as if the file ended.
 */
void kma_input_stop(void);

/**
 * kma_input_stopped() - was kma_input_stop() called?
 *
 * Return: true if it was.
 */
bool kma_input_stopped(void);

#endif /* KMA_INPUT_INPUT_H */

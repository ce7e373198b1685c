/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - the source of a reader's bytes: a file, a pipe or the standard input, each of which may
 * be compressed with gzip, xz or zstd. An uncompressed regular file is mapped, and is not copied;
 * all other inputs pass through one buffer. The memory therefore does not grow with the input.
 *
 * A reader either consumes block after block, each of which ends at the end of a line, or it gets
 * the path of a regular file with the whole content, for a library that opens files.
 *
 * Ctrl-C ends the inputs, not the program: kma_input_stop() makes each input end as if the file
 * ended there, so that a command reports what was read so far.
 *
 * Locking: none. An input is used by one thread at a time. kma_input_stop() may be called by any
 * thread, and by handlers of signals.
 */
#ifndef KMA_INPUT_INPUT_H
#define KMA_INPUT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* Bytes up to which a line is never divided between blocks. */
#define KMA_INPUT_LINE_MAX (1U << 20)

struct kma_input;
struct kma_reports;

/* The part of an event log to report, in ns since the start of the log. */
struct kma_interval {
	bool is;	   /* false: the whole log */
	bool ends;	   /* @to is given */
	uint64_t from, to; /* @to is not part of it; 0: up to the end of the log */
};

/**
 * kma_input_open() - open an input, and find out whether it is compressed
 * @path: name of the file; "-" is the standard input
 * @ret: the input
 *
 * Waits for the first bytes of a pipe.
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_input_open(const char *path, struct kma_input **ret);

/**
 * kma_input_pipe() - make an input of a pipe
 * @name: name of the input for messages, copied
 * @fd: end of the pipe to read from; closed with the input, and if there is an error
 * @ret: the input
 *
 * Waits for the first bytes.
 *
 * Return: NULL, or an error that names @name.
 */
struct kma_err *kma_input_pipe(const char *name, int fd, struct kma_input **ret);

/**
 * kma_input_memory() - make an input of bytes in memory, for tests
 * @name: name of the input for messages, copied
 * @bytes: uncompressed; must live as long as the input
 * @len: number of bytes
 * @block: largest size of a block in bytes, so that a test has several blocks; 0: as for files
 * @ret: the input
 */
struct kma_err *kma_input_memory(const char *name, const char *bytes, size_t len, size_t block,
				 struct kma_input **ret);

/**
 * kma_input_close() - close an input, and free it
 * @input: the input; NULL is fine
 */
void kma_input_close(struct kma_input *input);

/**
 * kma_input_name() - get the name of an input for messages
 * @input: an input
 *
 * Return: the path, or "standard input"; owned by the input.
 */
const char *kma_input_name(const struct kma_input *input);

/**
 * kma_input_head() - return the decompressed start of an input without consuming it
 * @input: nothing was consumed yet
 * @head: set to the first 64 KiB, or the whole input; not terminated; valid until something is
 *	consumed
 * @len: set to the number of bytes
 *
 * Waits for these bytes.
 *
 * Return: NULL, or an error that names the input: not readable, corrupt, truncated.
 */
struct kma_err *kma_input_head(struct kma_input *input, const char **head, size_t *len);

/**
 * kma_input_peek() - return the decompressed start of an input, without waiting for all of the head
 * @input: nothing was consumed yet
 * @least: bytes to wait for, at most KMA_INPUT_LINE_MAX
 * @head: as for kma_input_head()
 * @len: set to the number of bytes, at most @least or 64 KiB; less than @least only if the whole
 *	input is shorter
 *
 * Return: as kma_input_head().
 */
struct kma_err *kma_input_peek(struct kma_input *input, size_t least, const char **head,
			       size_t *len);

/*
 * The whole text of a regular file that is not compressed, without consuming it; not terminated.
 * False for all other inputs.
 */
bool kma_input_text(const struct kma_input *input, const char **text, size_t *len);

/**
 * kma_input_block() - consume some lines
 * @input: an input
 * @text: set to whole lines; only the last line of the input may lack its line end. Valid until the
 *	next call
 * @len: set to the bytes of @text; 0 at the end of the input
 *
 * A line that is longer than KMA_INPUT_LINE_MAX may come in pieces; @text then does not end with a
 * newline. From a slow pipe, the function returns the lines that are available. After
 * kma_input_stop() it returns the whole lines that were read, and then the end, within half a
 * second.
 *
 * Return: NULL, or an error that names the input: not readable, corrupt, truncated.
 */
struct kma_err *kma_input_block(struct kma_input *input, const char **text, size_t *len);

/**
 * kma_input_path() - return the path of a file that libraries can open
 * @input: nothing was consumed yet
 * @ret: set to the path of a regular file with the decompressed content; owned by the input
 *
 * An input that is not a regular file, or is compressed, is written to a temporary file without a
 * name, in $TMPDIR or /tmp. The file disappears when the input is closed.
 *
 * Return: NULL, or an error that names the input.
 */
struct kma_err *kma_input_path(struct kma_input *input, const char **ret);

/* Was kma_input_path() called? What it copied cannot be read from the input any more. */
bool kma_input_has_path(const struct kma_input *input);

/**
 * kma_input_allow_truncated() - read a truncated compressed file as far as it goes
 * @input: nothing was consumed yet
 *
 * Without this call, kma_input_block() and kma_input_path() fail if compressed data have no end.
 * For readers that recognise a missing end by the content, and report it.
 */
void kma_input_allow_truncated(struct kma_input *input);

/**
 * kma_input_is_truncated() - test whether the end of a compressed file is missing
 * @input: read to its end, after kma_input_allow_truncated(); NULL is fine
 *
 * Return: true if the compressed data have no end.
 */
bool kma_input_is_truncated(const struct kma_input *input);

/**
 * kma_input_truncation() - get the error of a compressed file whose end is missing
 * @input: an input, of which the head or more was read
 *
 * Return: the error, once, which the caller owns; NULL if the end was not reached or is not
 * missing.
 */
struct kma_err *kma_input_truncation(struct kma_input *input);

/**
 * kma_input_progress() - get the part of the input that was consumed
 * @input: an input
 * @done: set to the bytes of the file that were consumed (compressed bytes, if the file is
 *	compressed)
 * @size: set to the size of the file in bytes; 0 if unknown
 */
void kma_input_progress(const struct kma_input *input, uint64_t *done, uint64_t *size);

/**
 * kma_input_set_done() - set the part of the input that was consumed, if a library reads the file
 * @input: an input, after kma_input_path()
 * @done: bytes of the file that were consumed
 */
void kma_input_set_done(struct kma_input *input, uint64_t done);

/**
 * kma_input_watch() - set a function that is called while the input is read
 * @input: an input
 * @fn: called by the reading thread for each block, and twice a second while it waits; NULL: none
 * @arg: passed to @fn
 */
void kma_input_watch(struct kma_input *input, void (*fn)(const struct kma_input *input, void *arg),
		     void *arg);

/**
 * kma_input_set_interval() - request that readers of event logs report only an interval
 * @input: an input of which nothing was read yet
 * @interval: the interval, copied
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
 * kma_input_set_cgroups() - request that readers distinguish the cgroups of an event log's tasks
 * @input: an input of which nothing was read yet
 * @cgroups: true: distinguish them
 */
void kma_input_set_cgroups(struct kma_input *input, bool cgroups);

/**
 * kma_input_cgroups() - check whether readers distinguish the cgroups of an event log's tasks
 * @input: the input
 *
 * Return: true if they do.
 */
bool kma_input_cgroups(const struct kma_input *input);

/**
 * kma_input_interval() - get the interval that readers of event logs report
 * @input: an input
 *
 * Return: the interval, owned by the input. It is the whole log if none was set.
 */
const struct kma_interval *kma_input_interval(const struct kma_input *input);

/**
 * kma_input_set_filter() - set a function that sees each line before the reader of lines (cursor.h)
 * @input: an input of which nothing was read yet
 * @fn: gets the number of the line; may modify its text, but not make it longer; if it returns
 *	false, the reader does not get the line. NULL: none
 * @arg: passed to @fn
 */
void kma_input_set_filter(struct kma_input *input,
			  bool (*fn)(void *arg, unsigned int line, char *text), void *arg);

/*
 * Bytes of a page of the kernel that an input is of, if the user has given them; 0: the input or the reader has to
 * know.
 */
void kma_input_set_page_size(struct kma_input *input, uint64_t bytes);
uint64_t kma_input_page_size(const struct kma_input *input);

/*
 * The last line has no line end, and was read or passed over all the same. @name: a name at its end may be cut.
 */
void kma_input_set_unended(struct kma_input *input, unsigned int line, bool name);

/* Is there such a line? Returns its number, or 0. */
unsigned int kma_input_unended(const struct kma_input *input, bool *name);

/* Where readers put the reports of a text that has several (reader/reports.h); NULL: none was set. */
void kma_input_set_reports(struct kma_input *input, struct kma_reports *reports);
struct kma_reports *kma_input_reports(const struct kma_input *input);

/* Pass a line through the filter; true if the reader gets it. */
bool kma_input_filter(const struct kma_input *input, unsigned int line, char *text);

/**
 * kma_input_stop() - end all inputs
 *
 * For a handler of SIGINT. Each input ends at its next block, as if the file ended there; inputs
 * that are opened later end at once.
 */
void kma_input_stop(void);

/**
 * kma_input_stopped() - check whether kma_input_stop() was called
 *
 * Return: true if it was.
 */
bool kma_input_stopped(void);

#endif /* KMA_INPUT_INPUT_H */

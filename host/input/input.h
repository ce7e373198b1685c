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

/* Opens an input, and waits for the first bytes of a pipe. "-" is the standard input. */
struct kma_err *kma_input_open(const char *path, struct kma_input **ret);

/*
 * The same for the reading end of a pipe, which is closed with the input, and after an error. @name
 * is copied.
 */
struct kma_err *kma_input_pipe(const char *name, int fd, struct kma_input **ret);

/*
 * For tests: @bytes, which are not compressed, must live as long as the input. @block is the
 * largest size of a block, so that a test has several; 0: as for files.
 */
struct kma_err *kma_input_memory(const char *name, const char *bytes, size_t len, size_t block,
				 struct kma_input **ret);

/* NULL is fine. */
void kma_input_close(struct kma_input *input);

/* The path, or "standard input"; owned by the input. */
const char *kma_input_name(const struct kma_input *input);

/*
 * The first 64 KiB of the decompressed input, or all of it, if nothing was consumed yet. Waits for
 * them. The text is not terminated, and valid until something is consumed.
 */
struct kma_err *kma_input_head(struct kma_input *input, const char **head, size_t *len);

/*
 * The same with at most @least bytes (up to KMA_INPUT_LINE_MAX) or 64 KiB, without waiting for
 * more; fewer than @least only if the whole input is shorter.
 */
struct kma_err *kma_input_peek(struct kma_input *input, size_t least, const char **head,
			       size_t *len);

/*
 * The whole text of a regular file that is not compressed, without consuming it; not terminated.
 * False for all other inputs.
 */
bool kma_input_text(const struct kma_input *input, const char **text, size_t *len);

/*
 * Consumes whole lines, which are valid until the next call. @len is 0 at the end of the input.
 *
 * Only the last line of the input may lack its line end. A line that is longer than
 * KMA_INPUT_LINE_MAX may come in pieces; @text then does not end with a newline. From a slow pipe,
 * the function returns the lines that are available. After kma_input_stop() it returns the whole
 * lines that were read, and then the end, within half a second.
 */
struct kma_err *kma_input_block(struct kma_input *input, const char **text, size_t *len);

/*
 * The path of a regular file with the decompressed content, for libraries; nothing was consumed
 * yet. An input that is not such a file is written to a temporary file without a name, in $TMPDIR
 * or /tmp. The input owns the path, and the file disappears when the input is closed.
 */
struct kma_err *kma_input_path(struct kma_input *input, const char **ret);

/* Was kma_input_path() called? What it copied cannot be read from the input any more. */
bool kma_input_has_path(const struct kma_input *input);

/*
 * Lets a truncated compressed file be read as far as it goes, for readers that recognise a missing
 * end by the content and report it. Otherwise kma_input_block() and kma_input_path() fail. Before
 * anything is consumed.
 */
void kma_input_allow_truncated(struct kma_input *input);

/*
 * Is the end of the compressed data missing? For an input that was read to its end, after
 * kma_input_allow_truncated(). NULL is fine.
 */
bool kma_input_is_truncated(const struct kma_input *input);

/*
 * The error of a compressed file whose end is missing, once; the caller owns it. NULL if the end
 * was not reached or is not missing.
 */
struct kma_err *kma_input_truncation(struct kma_input *input);

/*
 * Bytes of the file (compressed ones, if it is compressed) that were consumed, and its size; 0 if
 * unknown.
 */
void kma_input_progress(const struct kma_input *input, uint64_t *done, uint64_t *size);

/* Sets the bytes of the file that were consumed, if a library reads it (kma_input_path()). */
void kma_input_set_done(struct kma_input *input, uint64_t done);

/*
 * Sets a function that the reading thread calls for each block, and twice a second while it waits.
 * NULL: none.
 */
void kma_input_watch(struct kma_input *input, void (*fn)(const struct kma_input *input, void *arg),
		     void *arg);

/*
 * What readers of logs report: an interval (copied; without a call the whole log), and rows for
 * each task or for each cgroup. All are set before anything is read.
 */
void kma_input_set_interval(struct kma_input *input, const struct kma_interval *interval);
void kma_input_set_tasks(struct kma_input *input, bool tasks);
bool kma_input_tasks(const struct kma_input *input);
void kma_input_set_cgroups(struct kma_input *input, bool cgroups);
bool kma_input_cgroups(const struct kma_input *input);

/* Owned by the input. */
const struct kma_interval *kma_input_interval(const struct kma_input *input);

/*
 * Sets a function that sees each line before the reader of lines (cursor.h). It may modify the
 * text, but not make it longer; if it returns false, the reader does not get the line. NULL: none.
 */
void kma_input_set_filter(struct kma_input *input,
			  bool (*fn)(void *arg, unsigned int line, char *text), void *arg);

/*
 * Bytes of a page of the kernel that the input is of, as the user has given them; 0: the input or
 * the reader has to know.
 */
void kma_input_set_page_size(struct kma_input *input, uint64_t bytes);
uint64_t kma_input_page_size(const struct kma_input *input);

/*
 * The last line has no line end, and was read or skipped anyway. @name: a name at its end
 * may be cut.
 */
void kma_input_set_unended(struct kma_input *input, unsigned int line, bool name);

/* The number of such a line; 0: there is none. */
unsigned int kma_input_unended(const struct kma_input *input, bool *name);

/* Where readers put the reports of a text with several (reader/reports.h); NULL: none was set. */
void kma_input_set_reports(struct kma_input *input, struct kma_reports *reports);
struct kma_reports *kma_input_reports(const struct kma_input *input);

/* Passes a line through the filter. True if the reader gets it. */
bool kma_input_filter(const struct kma_input *input, unsigned int line, char *text);

/*
 * Ends all inputs, for a handler of SIGINT. Each ends at its next block, as if the file ended
 * there; inputs that are opened later end at once.
 */
void kma_input_stop(void);

bool kma_input_stopped(void);

#endif /* KMA_INPUT_INPUT_H */

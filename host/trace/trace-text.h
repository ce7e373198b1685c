/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-text.h - convert a trace.dat to the lines of "trace-cmd report", so that readers of text
 * need no second form of each event.
 *
 * libtracecmd crashes on corrupt files, so a child process uses it and writes the lines into a
 * pipe. The lines before a crash are read; the crash is then reported as an error.
 *
 * Plugins are foreign code and are never loaded.
 *
 * Locking: none; each process has one thread.
 */
#ifndef KMA_TRACE_TRACE_TEXT_H
#define KMA_TRACE_TRACE_TEXT_H

#include <stdbool.h>

#include "input/input.h"

struct kma_trace_text;

/*
 * Starts the conversion of an input of which nothing was consumed, and which must live as long as
 * @ret. @lines are an input with the same name that the caller closes. Both are NULL if @input is
 * not a trace.dat. The lines of all buffers of the file are sorted by time. Records of additional
 * buffers cannot be distinguished from the others.
 */
struct kma_err *kma_trace_text_create(struct kma_input *input, struct kma_input **lines,
				      struct kma_trace_text **ret);

/*
 * Checks that the conversion has succeeded, after all lines were read, or kma_input_stop(). It is
 * an error if the file is corrupt or truncated. NULL is fine.
 */
struct kma_err *kma_trace_text_end(struct kma_trace_text *text);

/* Ends the child process. */
void kma_trace_text_destroy(struct kma_trace_text *text);

#endif /* KMA_TRACE_TRACE_TEXT_H */

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

/**
 * kma_trace_text_create() - start the conversion of a file, if it is a trace.dat
 * @input: the file; nothing was consumed yet. It must live as long as @ret
 * @lines: the lines, as an input with the same name that the caller closes; NULL if @input is not
 *	a trace.dat
 * @ret: the conversion; NULL if @input is not a trace.dat
 *
 * The lines of all buffers of the file are sorted by time. Records of additional buffers cannot be
 * distinguished from the others.
 *
 * Return: NULL or an error that names the input.
 */
struct kma_err *kma_trace_text_create(struct kma_input *input, struct kma_input **lines,
				      struct kma_trace_text **ret);

/**
 * kma_trace_text_end() - end the conversion and check that it has succeeded
 * @text: its lines were read to their end, or reading was stopped (kma_input_stop()); NULL is fine
 *
 * Return: NULL, or an error that names the input: it is corrupt or truncated.
 */
struct kma_err *kma_trace_text_end(struct kma_trace_text *text);

/* End the child process, free all. */
void kma_trace_text_destroy(struct kma_trace_text *text);

#endif /* KMA_TRACE_TRACE_TEXT_H */

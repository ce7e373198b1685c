/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-text.h - a trace.dat as the lines that "trace-cmd report" prints of it: for readers of
 * text, which then need no second form of each event.
 *
 * libtracecmd crashes on damaged files, so a process of its own has it, and writes into a pipe.
 * What it has said before it crashed is read; that it crashed is an error then.
 *
 * Never done: plugins are loaded, which are code from elsewhere.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_TRACE_TRACE_TEXT_H
#define KMA_TRACE_TRACE_TEXT_H

#include <stdbool.h>

#include "input/input.h"

struct kma_trace_text;

/**
 * kma_trace_text_create() - begin to make lines of a file, if it is a trace.dat
 * @input: the file; nothing was taken yet. It has to live as long as @ret
 * @lines: its lines, an input with the same name, for the caller to close; NULL is stored if it
 *	is no trace.dat
 * @ret: the process that makes them
 *
 * Lines of all buffers of the file come by time; a record of a buffer that is not the file's own
 * is not told from the others.
 *
 * Return: NULL or an error that names the input.
 */
struct kma_err *kma_trace_text_create(struct kma_input *input, struct kma_input **lines,
				      struct kma_trace_text **ret);

/**
 * kma_trace_text_end() - did it come to its end?
 * @text: its lines were read to their end, or up to kma_input_stop(); NULL is fine
 *
 * Return: NULL, or an error that names the input: damaged, cut short.
 */
struct kma_err *kma_trace_text_end(struct kma_trace_text *text);

/**
 * kma_trace_text_destroy() - end the process, free all
 * @text: from kma_trace_text_create(); NULL is fine
 */
void kma_trace_text_destroy(struct kma_trace_text *text);

#endif /* KMA_TRACE_TRACE_TEXT_H */

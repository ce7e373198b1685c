/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cursor.h - read an input line by line, for readers of tables. Each line is a terminated copy that
 * the reader may modify, without its line end ("\n" or "\r\n"). The cursor counts lines, so that
 * errors have a place. A line above 1 MiB, and a line with a zero byte, is an error. Readers
 * of logs use the blocks of input.h instead, which need no copy.
 */
#ifndef KMA_INPUT_CURSOR_H
#define KMA_INPUT_CURSOR_H

#include "input.h"
#include "lib/strbuf.h"

struct kma_cursor {
	struct kma_input *input;
	const char *next;  /* rest of the current block */
	size_t left;	   /* bytes of the rest */
	unsigned int line; /* number of the current line, from 1 */
	bool cut;	   /* the current line has no line end: the input ends in it */
	bool rows;	   /* set by the reader: further lines are rows, for errors */
	/*
	 * Set by the reader: is the current line complete although it has no line end, whatever
	 * could follow? *name is set to true if a name at its end may still be cut. NULL: no line
	 * is.
	 */
	bool (*whole)(void *arg, bool *name);
	char *text;		 /* the current line without its line end */
	size_t alloc;		 /* bytes allocated for @text */
	struct kma_strbuf *keep; /* set by the reader: lines are also appended to it; or NULL */
};

/* Places the cursor before the first line of an input of which nothing was consumed. */
void kma_cursor_init(struct kma_cursor *cur, struct kma_input *input);

void kma_cursor_deinit(struct kma_cursor *cur);

/*
 * At the end of the input @more is set to false, the current line is empty, and its number is that
 * of the last line plus 1. A line that is too long, or has a zero byte, is an error.
 */
struct kma_err *kma_cursor_next(struct kma_cursor *cur, bool *more);

/*
 * Calls @line for each further line, up to the first error. It is an error, too, if the input ends
 * in a line that is not whole.
 */
struct kma_err *kma_cursor_each(struct kma_cursor *cur, struct kma_err *(*line)(void *arg),
				void *arg);

/* An error of kind KMA_ERR_DAMAGED about the current line. */
struct kma_err *kma_cursor_error(const struct kma_cursor *cur, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The same sentence about the current line, as kma_cursor_error() makes it. Frees @err, which has
 * no file and line; NULL is fine.
 */
struct kma_err *kma_cursor_place(const struct kma_cursor *cur, struct kma_err *err);

/*
 * Parses a decimal number at *@p or after blanks there, and moves *@p after it. @what names the
 * number in errors ("total"): not a number, negative, more than 64 bits.
 */
struct kma_err *kma_cursor_number(const struct kma_cursor *cur, const char **p, const char *what,
				  uint64_t *ret);

#define _cleanup_cursor_ __attribute__((cleanup(kma_cursor_deinit)))

#endif /* KMA_INPUT_CURSOR_H */

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
	 * Set by the reader: is the current line a whole one although it has no line end? It has to be, whatever
	 * could follow; *name is set to true if a name at its end may be cut all the same. NULL: no line is.
	 */
	bool (*whole)(void *arg, bool *name);
	char *text;		 /* the current line without its line end */
	size_t alloc;		 /* bytes allocated for @text */
	struct kma_strbuf *keep; /* set by the reader: lines are also appended to it; or NULL */
};

/**
 * kma_cursor_init() - place a cursor before the first line
 * @cur: owned by the caller
 * @input: an input of which nothing was consumed; owned by the caller
 */
void kma_cursor_init(struct kma_cursor *cur, struct kma_input *input);

/* Free the current line. */
void kma_cursor_deinit(struct kma_cursor *cur);

/**
 * kma_cursor_next() - read the next line
 * @cur: the cursor
 * @more: set to false at the end of the input; the current line is then empty, and its number is
 *	that of the last line plus 1
 *
 * Return: NULL; or an error: of kma_input_block(), a line that is too long, or a zero byte.
 */
struct kma_err *kma_cursor_next(struct kma_cursor *cur, bool *more);

/**
 * kma_cursor_each() - call a function for each further line
 * @cur: the cursor
 * @line: the function, which reads the current line
 * @arg: passed to @line
 *
 * Return: NULL; or the first error: of @line, of kma_cursor_next(), or that the input ends in a
 * line that is not whole.
 */
struct kma_err *kma_cursor_each(struct kma_cursor *cur, struct kma_err *(*line)(void *arg),
				void *arg);

/**
 * kma_cursor_error() - make an error about the current line
 * @cur: the cursor
 * @fmt: printf format of the sentence
 *
 * Return: an error of kind KMA_ERR_DAMAGED with file and line.
 */
struct kma_err *kma_cursor_error(const struct kma_cursor *cur, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_cursor_place() - set the file and line of an error to the current line
 * @cur: the cursor
 * @err: an error without file and line, which is freed; or NULL
 *
 * Return: an error with the same sentence, as kma_cursor_error(); NULL if @err is NULL.
 */
struct kma_err *kma_cursor_place(const struct kma_cursor *cur, struct kma_err *err);

/**
 * kma_cursor_number() - parse a decimal number
 * @cur: the cursor, for errors
 * @p: position of the number in the line, or of blanks before it; is moved after the number
 * @what: name of the number for errors: "total"
 * @ret: set to the number
 *
 * Return: NULL; or an error: not a number, negative, more than 64 bits.
 */
struct kma_err *kma_cursor_number(const struct kma_cursor *cur, const char **p, const char *what,
				  uint64_t *ret);

#define _cleanup_cursor_ __attribute__((cleanup(kma_cursor_deinit)))

#endif /* KMA_INPUT_CURSOR_H */

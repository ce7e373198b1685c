/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cursor.h - lines of an input, for readers of tables: each line as a terminated copy that the
 * reader may modify, its number for errors, and the numbers in it. Readers of logs use blocks
 * instead, which is faster.
 */
#ifndef KMA_INPUT_CURSOR_H
#define KMA_INPUT_CURSOR_H

#include "input.h"
#include "lib/strbuf.h"

struct kma_cursor {
	struct kma_input *input;
	const char *next;	 /* rest of the block */
	size_t left;		 /* bytes of it */
	unsigned int line;	 /* number of this line from 1 */
	bool cut;		 /* this line has no end: the input stops in it */
	bool rows;		 /* the lines that are left are rows of a table, for errors */
	char *text;		 /* this line without its end */
	size_t alloc;		 /* bytes of @text */
	struct kma_strbuf *keep; /* each line that is read is appended; NULL: it is not */
};

/**
 * kma_cursor_init() - stand before the first line
 * @cur: owned by the caller
 * @input: nothing was taken yet
 */
void kma_cursor_init(struct kma_cursor *cur, struct kma_input *input);

/**
 * kma_cursor_deinit() - free the line
 * @cur: as initialised
 */
void kma_cursor_deinit(struct kma_cursor *cur);

/**
 * kma_cursor_next() - go to the next line
 * @cur: the cursor
 * @more: false at the end of the input; the line is then empty, with the number after the last
 *
 * Return: NULL; or an error: the input's, a line that is too long, or binary.
 */
struct kma_err *kma_cursor_next(struct kma_cursor *cur, bool *more);

/**
 * kma_cursor_each() - call a function for each line that is left
 * @cur: the cursor
 * @line: the function; reads the current line
 * @arg: handed to it
 *
 * Return: NULL; or an error: of @line, as kma_cursor_next(), or that the input ends in a line.
 */
struct kma_err *kma_cursor_each(struct kma_cursor *cur, struct kma_err *(*line)(void *arg),
				void *arg);

/**
 * kma_cursor_error() - make an error about the current line
 * @cur: the cursor
 * @fmt: printf format of the sentence
 *
 * Return: the error, never NULL.
 */
struct kma_err *kma_cursor_error(const struct kma_cursor *cur, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_cursor_place() - set the file and line of an error to the current line
 * @cur: the cursor
 * @err: an error without file and line; NULL and &kma_enomem stay as they are
 *
 * Return: @err, or &kma_enomem.
 */
struct kma_err *kma_cursor_place(const struct kma_cursor *cur, struct kma_err *err);

/**
 * kma_cursor_number() - a decimal number
 * @cur: the cursor, for errors
 * @p: start of the number, perhaps after blanks; is moved to its end
 * @what: for errors: "total"
 * @ret: the number
 *
 * Return: NULL; or an error: not a number, negative, more than 64 bits.
 */
struct kma_err *kma_cursor_number(const struct kma_cursor *cur, const char **p, const char *what,
				  uint64_t *ret);

#define _cleanup_cursor_ __attribute__((cleanup(kma_cursor_deinit)))

#endif /* KMA_INPUT_CURSOR_H */

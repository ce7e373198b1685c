/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * say.h - warnings and errors on stderr, and the exit codes that go with them.
 *
 * Needs no library, for programs that are one command alone (make record-static).
 */
#ifndef KMA_LIB_SAY_H
#define KMA_LIB_SAY_H

#include "err.h"

/* Exit codes of the program. */
enum { KMA_EXIT_OK = 0, KMA_EXIT_DATA = 1, KMA_EXIT_USAGE = 2, KMA_EXIT_THRESHOLD = 3 };

/**
 * kma_say_open() - put /dev/null in place of standard streams that are closed
 *
 * For the start of a program: otherwise a file that it opens gets the number of the stream, and
 * messages are written into an output. Writing to the standard output still fails then, and so does
 * reading the standard input.
 */
void kma_say_open(void);

/**
 * kma_program() - get the name of the program for messages
 *
 * Return: "kmem-account", or the name of a program or link that is one command.
 */
const char *kma_program(void);

/**
 * kma_program_set() - set the name of the program for messages
 * @name: the name, not copied
 */
void kma_program_set(const char *name);

/**
 * kma_warn() - print one line on stderr, after the name of the program
 * @fmt: printf format of a sentence, without a newline; characters without a glyph are printed as
 *	"?"
 */
void kma_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * kma_fail() - print an error on stderr and free it
 * @err: the error, or NULL
 * @code: exit code for an error
 *
 * Return: @code; KMA_EXIT_OK if @err is NULL.
 */
int kma_fail(struct kma_err *err, int code);

/**
 * kma_fail_kind() - print an error on stderr and free it
 * @err: the error, or NULL
 *
 * Return: KMA_EXIT_USAGE for KMA_ERR_USAGE, KMA_EXIT_DATA for other kinds; KMA_EXIT_OK if @err is
 * NULL.
 */
int kma_fail_kind(struct kma_err *err);

#endif /* KMA_LIB_SAY_H */

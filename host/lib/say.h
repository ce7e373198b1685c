/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * say.h - warnings and errors on stderr.
 *
 * Needs no library, for programs that are one command alone (make record-static).
 */
#ifndef KMA_LIB_SAY_H
#define KMA_LIB_SAY_H

#include "err.h"
#include "program.h"

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

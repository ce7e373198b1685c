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
 * kma_program() - what the program was called by
 *
 * Return: "kmem-account", or the name of a link that is a command of its own.
 */
const char *kma_program(void);

/**
 * kma_program_set() - say what the program was called by
 * @name: stays with the caller
 */
void kma_program_set(const char *name);

/**
 * kma_warn() - print one line on stderr
 * @fmt: printf format of a sentence
 */
void kma_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * kma_fail() - print an error on stderr and free it
 * @err: the error, may be NULL
 * @code: exit code for an error
 *
 * Return: @code, or KMA_EXIT_OK when @err is NULL.
 */
int kma_fail(struct kma_err *err, int code);

/**
 * kma_fail_kind() - print an error on stderr and free it
 * @err: the error, may be NULL
 *
 * Return: the exit code of its kind: KMA_EXIT_USAGE or KMA_EXIT_DATA; KMA_EXIT_OK when @err
 * is NULL.
 */
int kma_fail_kind(struct kma_err *err);

#endif /* KMA_LIB_SAY_H */

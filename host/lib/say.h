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

/*
 * Prints one line, after the name of the program. @fmt has no newline. Characters without a glyph
 * are printed as "?".
 */
void kma_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints an error and frees it. Returns @code, or KMA_EXIT_OK if @err is NULL. */
int kma_fail(struct kma_err *err, int code);

/* As kma_fail(), with KMA_EXIT_USAGE for KMA_ERR_USAGE and KMA_EXIT_DATA for other kinds. */
int kma_fail_kind(struct kma_err *err);

#endif /* KMA_LIB_SAY_H */

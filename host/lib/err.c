// SPDX-License-Identifier: GPL-2.0-only
/*
 * err.c - the error type of the program.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

struct kma_err kma_enomem = { .kind = KMA_ERR_NO_MEMORY, .message = "out of memory" };

static struct kma_err *kma_err_vcreate(enum kma_err_kind kind, const char *file, unsigned int line,
				       const char *fmt, va_list ap)
{
	struct kma_err *err = calloc(1, sizeof(*err));

	if (!err)
		return &kma_enomem;
	if (vasprintf(&err->message, fmt, ap) < 0) {
		free(err);
		return &kma_enomem;
	}
	err->kind = kind;
	err->line = line;
	if (file) {
		err->file = strdup(file);
		if (!err->file) {
			kma_err_destroy(err);
			return &kma_enomem;
		}
	}
	return err;
}

struct kma_err *kma_err_create(const char *file, unsigned int line, const char *fmt, ...)
{
	struct kma_err *err;
	va_list ap;

	va_start(ap, fmt);
	err = kma_err_vcreate(KMA_ERR_DATA, file, line, fmt, ap);
	va_end(ap);
	return err;
}

struct kma_err *kma_err_create_kind(enum kma_err_kind kind, const char *file, unsigned int line,
				    const char *fmt, ...)
{
	struct kma_err *err;
	va_list ap;

	va_start(ap, fmt);
	err = kma_err_vcreate(kind, file, line, fmt, ap);
	va_end(ap);
	return err;
}

void kma_err_destroy(struct kma_err *err)
{
	if (!err || kma_err_is(err, KMA_ERR_NO_MEMORY))
		return;
	free(err->file);
	free(err->message);
	free(err);
}

char *kma_err_text(const struct kma_err *err)
{
	/* A name may be empty, as "$FILE" of a script that did not set it. */
	const char *file = err->file && !*err->file ? "''" : err->file;
	char *text;
	int len;

	if (file && err->line)
		len = asprintf(&text, "%s:%u: %s", file, err->line, err->message);
	else if (file)
		len = asprintf(&text, "%s: %s", file, err->message);
	else
		len = asprintf(&text, "%s", err->message);
	return len < 0 ? NULL : text;
}

struct kma_err *kma_err_rename(struct kma_err *err, const char *file)
{
	char *name;

	if (!err || kma_err_is(err, KMA_ERR_NO_MEMORY))
		return err;
	name = strdup(file);
	if (name) {
		free(err->file);
		err->file = name;
	}
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * err.c - the error type of the program.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "alloc.h"
#include "err.h"

static struct kma_err *err_vcreate(enum kma_err_kind kind, const char *file, unsigned int line,
				   const char *fmt, va_list ap)
{
	struct kma_err *err = kma_xcalloc(1, sizeof(*err));

	err->message = kma_xvasprintf(fmt, ap);
	err->kind = kind;
	err->line = line;
	err->file = file ? kma_xstrdup(file) : NULL;
	return err;
}

struct kma_err *kma_err_create(const char *file, unsigned int line, const char *fmt, ...)
{
	struct kma_err *err;
	va_list ap;

	va_start(ap, fmt);
	err = err_vcreate(KMA_ERR_DATA, file, line, fmt, ap);
	va_end(ap);
	return err;
}

struct kma_err *kma_err_create_kind(enum kma_err_kind kind, const char *file, unsigned int line,
				    const char *fmt, ...)
{
	struct kma_err *err;
	va_list ap;

	va_start(ap, fmt);
	err = err_vcreate(kind, file, line, fmt, ap);
	va_end(ap);
	return err;
}

void kma_err_destroy(struct kma_err *err)
{
	if (!err)
		return;
	free(err->file);
	free(err->message);
	free(err);
}

char *kma_err_text(const struct kma_err *err)
{
	/* A name may be empty, as "$FILE" of a script that did not set it. */
	const char *file = err->file && !*err->file ? "''" : err->file;

	if (file && err->line)
		return kma_xasprintf("%s:%u: %s", file, err->line, err->message);
	return file ? kma_xasprintf("%s: %s", file, err->message) : kma_xstrdup(err->message);
}

struct kma_err *kma_err_rename(struct kma_err *err, const char *file)
{
	char *name;

	if (!err)
		return NULL;
	name = kma_xstrdup(file);
	free(err->file);
	err->file = name;
	return err;
}

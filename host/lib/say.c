// SPDX-License-Identifier: GPL-2.0-only
/*
 * say.c - warnings and errors on stderr.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "cleanup.h"
#include "escape.h"
#include "say.h"

void kma_warn(const char *fmt, ...)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = kma_xvasprintf(fmt, ap);
	va_end(ap);
	/* The text may quote the input: it must stay one line, without control characters. */
	kma_escape_plain(&line, text);
	fprintf(stderr, "%s: %s\n", kma_program(), line.str ?: "");
	free(text);
}

int kma_fail(struct kma_err *err, int code)
{
	_cleanup_free_ char *text = NULL;

	if (!err)
		return KMA_EXIT_OK;
	text = kma_err_text(err);
	kma_warn("%s", text);
	kma_err_destroy(err);
	return code;
}

int kma_fail_kind(struct kma_err *err)
{
	return kma_fail(err, kma_err_is(err, KMA_ERR_USAGE) ? KMA_EXIT_USAGE : KMA_EXIT_DATA);
}

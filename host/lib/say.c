// SPDX-License-Identifier: GPL-2.0-only
/*
 * say.c - warnings and errors on stderr.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cleanup.h"
#include "escape.h"
#include "say.h"

static const char *kma_program_name = "kmem-account";

void kma_say_open(void)
{
	static const int modes[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_WRONLY,
	};

	/* open() returns the lowest number that is free, which is @fd. */
	for (int fd = 0; fd < (int)ARRAY_SIZE(modes); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			return; /* a system without /dev/null */
}

const char *kma_program(void)
{
	return kma_program_name;
}

void kma_program_set(const char *name)
{
	kma_program_name = name;
}

void kma_warn(const char *fmt, ...)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	/* The text may quote the input: it must stay one line, without control characters. */
	if (text)
		kma_escape_plain(&line, text);
	fprintf(stderr, "%s: %s\n", kma_program(), line.str ?: "out of memory");
	free(text);
}

int kma_fail(struct kma_err *err, int code)
{
	_cleanup_free_ char *text = NULL;

	if (!err)
		return KMA_EXIT_OK;
	text = kma_err_text(err);
	kma_warn("%s", text ?: err->message);
	kma_err_destroy(err);
	return code;
}

int kma_fail_kind(struct kma_err *err)
{
	return kma_fail(err, kma_err_is(err, KMA_ERR_USAGE) ? KMA_EXIT_USAGE : KMA_EXIT_DATA);
}

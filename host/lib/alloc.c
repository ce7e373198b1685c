// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloc.c - memory that is always there.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* malloc(0) may return NULL without lack of memory; glibc and musl return a block. */
void *kma_xmalloc(size_t size)
{
	return kma_xmem(malloc(size ?: 1));
}

void *kma_xcalloc(size_t nr, size_t size)
{
	return kma_xmem(calloc(nr ?: 1, size ?: 1));
}

void *kma_xrealloc(void *mem, size_t nr, size_t size)
{
	return kma_xmem(reallocarray(mem, nr ?: 1, size ?: 1));
}

char *kma_xstrdup(const char *text)
{
	return kma_xmem(strdup(text));
}

char *kma_xstrndup(const char *text, size_t len)
{
	return kma_xmem(strndup(text, len));
}

char *kma_xasprintf(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		kma_atend_no_memory();
	return text;
}

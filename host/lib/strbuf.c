// SPDX-License-Identifier: GPL-2.0
/*
 * strbuf.c - a string that grows.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strbuf.h"

void kma_strbuf_init(struct kma_strbuf *sb)
{
	memset(sb, 0, sizeof(*sb));
}

void kma_strbuf_deinit(struct kma_strbuf *sb)
{
	free(sb->str);
	kma_strbuf_init(sb);
}

static bool kma_strbuf_reserve(struct kma_strbuf *sb, size_t more)
{
	size_t want = sb->len + more + 1;
	size_t alloc = sb->alloc ? sb->alloc : 256;
	char *str;

	if (sb->failed)
		return false;
	if (want <= sb->alloc)
		return true;
	while (alloc < want)
		alloc *= 2;
	str = realloc(sb->str, alloc);
	if (!str) {
		sb->failed = true;
		return false;
	}
	sb->str = str;
	sb->alloc = alloc;
	return true;
}

void kma_strbuf_add(struct kma_strbuf *sb, const char *bytes, size_t len)
{
	if (!kma_strbuf_reserve(sb, len))
		return;
	memcpy(sb->str + sb->len, bytes, len);
	sb->len += len;
	sb->str[sb->len] = '\0';
}

void kma_strbuf_puts(struct kma_strbuf *sb, const char *str)
{
	kma_strbuf_add(sb, str, strlen(str));
}

void kma_strbuf_printf(struct kma_strbuf *sb, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0 || !kma_strbuf_reserve(sb, len)) {
		sb->failed = true;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(sb->str + sb->len, len + 1, fmt, ap);
	va_end(ap);
	sb->len += len;
}

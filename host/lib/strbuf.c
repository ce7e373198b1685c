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

void kma_strbuf_right(struct kma_strbuf *sb, const char *text, size_t width)
{
	size_t len = strlen(text), pad = width > len ? width - len : 0;

	if (!kma_strbuf_reserve(sb, pad + len))
		return;
	memset(sb->str + sb->len, ' ', pad);
	memcpy(sb->str + sb->len + pad, text, len + 1);
	sb->len += pad + len;
}

char *kma_u64_format(char *buf, uint64_t value)
{
	char digits[20];
	size_t nr = 0;

	do
		digits[nr++] = '0' + value % 10;
	while (value /= 10);
	while (nr)
		*buf++ = digits[--nr];
	*buf = '\0';
	return buf;
}

void kma_strbuf_u64(struct kma_strbuf *sb, uint64_t value)
{
	char buf[21];

	kma_strbuf_add(sb, buf, kma_u64_format(buf, value) - buf);
}

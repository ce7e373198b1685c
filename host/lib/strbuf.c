// SPDX-License-Identifier: GPL-2.0-only
/*
 * strbuf.c - a string that grows.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "arena.h"
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

/* Make sure that @more bytes and a terminator can be appended. */
static void strbuf_reserve(struct kma_strbuf *sb, size_t more)
{
	size_t want = sb->len + more + 1;
	size_t alloc = sb->alloc ? sb->alloc : 256;

	if (want <= sb->alloc)
		return;
	while (alloc < want)
		alloc *= 2;
	sb->str = kma_xrealloc(sb->str, alloc, 1);
	sb->alloc = alloc;
}

void kma_strbuf_expect(struct kma_strbuf *sb, size_t bytes)
{
	if (sb->str)
		return;
	sb->str = kma_huge_try(bytes + 1);
	if (!sb->str)
		return;
	*sb->str = '\0';
	sb->alloc = bytes + 1;
}

void kma_strbuf_add(struct kma_strbuf *sb, const char *bytes, size_t len)
{
	strbuf_reserve(sb, len);
	if (len)
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
	size_t room = sb->alloc > sb->len ? sb->alloc - sb->len : 0;
	va_list ap;
	int len;

	/* Most texts fit into the allocated memory, and are formatted once. */
	va_start(ap, fmt);
	len = vsnprintf(room ? sb->str + sb->len : NULL, room, fmt, ap);
	va_end(ap);
	if (len >= 0 && (size_t)len < room) {
		sb->len += len;
		return;
	}
	if (room)
		sb->str[sb->len] = '\0';
	if (len < 0)
		kma_atend_no_memory();
	strbuf_reserve(sb, len);
	va_start(ap, fmt);
	vsnprintf(sb->str + sb->len, len + 1, fmt, ap);
	va_end(ap);
	sb->len += len;
}

unsigned int kma_u64_len(uint64_t value)
{
	unsigned int len = 1;

	for (; value >= 10000; value /= 10000)
		len += 4;
	return len + (value >= 10) + (value >= 100) + (value >= 1000);
}

char *kma_u64_format(char *buf, uint64_t value)
{
	char *end = buf + kma_u64_len(value), *p = end;

	*p = '\0';
	do
		*--p = '0' + value % 10;
	while (value /= 10);
	return end;
}

void kma_strbuf_item(struct kma_strbuf *list, const char *item, const char *last)
{
	if (list->len)
		kma_strbuf_puts(list, last ?: ", ");
	kma_strbuf_puts(list, item);
}

void kma_strbuf_u64(struct kma_strbuf *sb, uint64_t value)
{
	char buf[21];

	kma_strbuf_add(sb, buf, kma_u64_format(buf, value) - buf);
}

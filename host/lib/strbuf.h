/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strbuf.h - a string that grows. The memory doubles, so n appended bytes are copied fewer than 2n
 * times. A zeroed string is empty.
 */
#ifndef KMA_LIB_STRBUF_H
#define KMA_LIB_STRBUF_H

#include <stddef.h>
#include <stdint.h>

struct kma_strbuf {
	char *str;    /* terminated; NULL if nothing was appended */
	size_t len;   /* bytes without the terminator */
	size_t alloc; /* bytes allocated */
};

void kma_strbuf_init(struct kma_strbuf *sb);

/* The string is empty afterwards. */
void kma_strbuf_deinit(struct kma_strbuf *sb);

/* Reserves space in an empty string. The text may become longer than @bytes. */
void kma_strbuf_expect(struct kma_strbuf *sb, size_t bytes);

/* @bytes may be NULL if @len is 0. */
void kma_strbuf_add(struct kma_strbuf *sb, const char *bytes, size_t len);

void kma_strbuf_puts(struct kma_strbuf *sb, const char *str);
void kma_strbuf_printf(struct kma_strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Appends an item of a list, "a, b or c". @last precedes the last item, such as " or "; NULL for
 * all items before it.
 */
void kma_strbuf_item(struct kma_strbuf *list, const char *item, const char *last);

/* Faster than kma_strbuf_printf(). */
void kma_strbuf_u64(struct kma_strbuf *sb, uint64_t value);

/* @buf has at least 21 bytes. Returns the position of the terminator. */
char *kma_u64_format(char *buf, uint64_t value);

/* The number of decimal digits, 1 to 20. */
unsigned int kma_u64_len(uint64_t value);

#define _cleanup_strbuf_ __attribute__((cleanup(kma_strbuf_deinit)))

#endif /* KMA_LIB_STRBUF_H */

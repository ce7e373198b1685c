/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strbuf.h - a string that grows. The memory doubles, so n appended bytes are copied fewer than 2n
 * times.
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

/**
 * kma_strbuf_init() - make an empty string
 * @sb: owned by the caller; a zeroed string is empty, too
 */
void kma_strbuf_init(struct kma_strbuf *sb);

/* Free a string; it is empty afterwards. */
void kma_strbuf_deinit(struct kma_strbuf *sb);

/**
 * kma_strbuf_expect() - reserve space for a long text
 * @sb: the string, empty
 * @bytes: expected length; the text may become longer
 */
void kma_strbuf_expect(struct kma_strbuf *sb, size_t bytes);

/**
 * kma_strbuf_add() - append bytes
 * @sb: the string
 * @bytes: the bytes; may be NULL if @len is 0
 * @len: number of bytes
 */
void kma_strbuf_add(struct kma_strbuf *sb, const char *bytes, size_t len);

/* Append a terminated string. */
void kma_strbuf_puts(struct kma_strbuf *sb, const char *str);

/**
 * kma_strbuf_printf() - append formatted text
 * @sb: the string
 * @fmt: printf format
 */
void kma_strbuf_printf(struct kma_strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Append an item of a list, "a, b or c". @last: what stands before the last item, as " or "; NULL: it is
 * not the last.
 */
void kma_strbuf_item(struct kma_strbuf *list, const char *item, const char *last);

/* Append a decimal number, faster than with kma_strbuf_printf(). */
void kma_strbuf_u64(struct kma_strbuf *sb, uint64_t value);

/**
 * kma_u64_format() - write a decimal number
 * @buf: at least 21 bytes; terminated afterwards
 * @value: the number
 *
 * Return: pointer to the terminator.
 */
char *kma_u64_format(char *buf, uint64_t value);

/**
 * kma_u64_len() - count the decimal digits of a number
 * @value: the number
 *
 * Return: 1 to 20.
 */
unsigned int kma_u64_len(uint64_t value);

#define _cleanup_strbuf_ __attribute__((cleanup(kma_strbuf_deinit)))

#endif /* KMA_LIB_STRBUF_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strbuf.h - a string that grows. It never reports an error on appending: when
 * memory runs out it remembers that and drops what follows, so a writer checks
 * once, at the end, with kma_strbuf_ok().
 */
#ifndef KMA_LIB_STRBUF_H
#define KMA_LIB_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kma_strbuf {
	char *str;    /* always terminated once something was appended */
	size_t len;   /* bytes without the terminator */
	size_t alloc; /* bytes allocated */
	bool failed;  /* memory ran out */
};

/**
 * kma_strbuf_init() - start with an empty string
 * @sb: owned by the caller
 */
void kma_strbuf_init(struct kma_strbuf *sb);

/**
 * kma_strbuf_deinit() - free the string
 * @sb: as initialised
 */
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
 * @bytes: what to append
 * @len: number of bytes
 */
void kma_strbuf_add(struct kma_strbuf *sb, const char *bytes, size_t len);

/**
 * kma_strbuf_puts() - append a terminated string
 * @sb: the string
 * @str: what to append
 */
void kma_strbuf_puts(struct kma_strbuf *sb, const char *str);

/**
 * kma_strbuf_printf() - append formatted text
 * @sb: the string
 * @fmt: printf format
 */
void kma_strbuf_printf(struct kma_strbuf *sb, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * kma_strbuf_u64() - append a number, faster than by printf
 * @sb: the string
 * @value: the number
 */
void kma_strbuf_u64(struct kma_strbuf *sb, uint64_t value);

/**
 * kma_u64_format() - a number as digits
 * @buf: where to, 21 bytes are enough
 * @value: the number
 *
 * Return: where the digits end: at the terminator.
 */
char *kma_u64_format(char *buf, uint64_t value);

/**
 * kma_u64_len() - how many digits a number has
 * @value: the number
 *
 * Return: 1 to 20.
 */
unsigned int kma_u64_len(uint64_t value);

/**
 * kma_strbuf_ok() - did all appends succeed?
 * @sb: the string
 *
 * Return: false when memory ran out.
 */
static inline bool kma_strbuf_ok(const struct kma_strbuf *sb)
{
	return !sb->failed;
}

#define _cleanup_strbuf_ __attribute__((cleanup(kma_strbuf_deinit)))

#endif /* KMA_LIB_STRBUF_H */

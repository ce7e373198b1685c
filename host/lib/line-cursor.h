/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line-cursor.h - reads a line of text word by word.
 *
 * A function that skips a text moves the cursor after it. If the text is not there, the position
 * of the cursor is undefined, and the caller restores a copy.
 */
#ifndef KMA_LIB_LINE_CURSOR_H
#define KMA_LIB_LINE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The unread rest of a line. */
struct kma_line_cursor {
	const char *p;	 /* next byte */
	const char *end; /* after the last byte */
};

static inline bool kma_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Can the byte be in the name of an event or a field? */
static inline bool kma_is_name(char c)
{
	return kma_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* -1 if @c is not a hexadecimal digit. */
static inline int kma_hex_value(char c)
{
	if (kma_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Is @c the next byte? False at the end of the line. */
static inline bool kma_at(const struct kma_line_cursor *cur, char c)
{
	return cur->p < cur->end && *cur->p == c;
}

/* Skips all bytes @c that come next. */
static inline void kma_skip(struct kma_line_cursor *cur, char c)
{
	while (kma_at(cur, c))
		cur->p++;
}

/* Skips a word if it comes next; otherwise the cursor does not move. */
static inline bool kma_pass(struct kma_line_cursor *cur, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(cur->end - cur->p) < len || memcmp(cur->p, word, len))
		return false;
	cur->p += len;
	return true;
}

/*
 * Reads a number without a sign and moves past its digits. @base is 2 to 16. False if there is no
 * digit, or if the number does not fit in 64 bits; @ret is then undefined.
 */
static inline bool kma_number(struct kma_line_cursor *cur, unsigned int base, uint64_t *ret)
{
	const char *from = cur->p;
	bool fits = true;

	for (*ret = 0; cur->p < cur->end; cur->p++) {
		/* A digit of a constant base below 11 takes one comparison. */
		unsigned int digit = base > 10 ? (unsigned int)kma_hex_value(*cur->p) :
						 (unsigned int)(*cur->p - '0');

		if (digit >= base)
			break;
		fits = fits && !__builtin_mul_overflow(*ret, base, ret) &&
		       !__builtin_add_overflow(*ret, digit, ret);
	}
	return fits && cur->p > from;
}

#endif /* KMA_LIB_LINE_CURSOR_H */

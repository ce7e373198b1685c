// SPDX-License-Identifier: GPL-2.0-only
/*
 * name-pattern.c - find digits and hashes in a text.
 */
#include <ctype.h>
#include <string.h>

#include "name-pattern.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * A word is a hash if it has at least eight hexadecimal digits, with dashes between them, and a
 * decimal one; or if letters and digits take turns in it at least three times.
 */
static bool is_hash(const char *text, size_t len)
{
	size_t hex = 0, digits = 0, turns = 0, letters = 0;

	for (size_t i = 0; i < len; i++) {
		hex += isxdigit((unsigned char)text[i]) || text[i] == '-';
		digits += is_digit(text[i]);
		letters += text[i] != '-';
		turns += i && is_digit(text[i]) != is_digit(text[i - 1]);
	}
	return digits && letters >= 8 ? hex == len || turns >= 3 : len >= 6 && turns >= 3;
}

/* The length of a word: letters and digits; @dashes: also dashes between them. */
static size_t word_len(const char *text, bool dashes)
{
	size_t len = 0;

	while (isalnum((unsigned char)text[len]) ||
	       (dashes && len && text[len] == '-' && isalnum((unsigned char)text[len + 1])))
		len++;
	return len;
}

void kma_name_pattern(const char *text, struct kma_strbuf *out)
{
	while (*text) {
		size_t len = word_len(text, true);

		/* A word with dashes is one only as a whole, as in the text of a UUID. */
		if (strspn(text, "0123456789abcdefABCDEF-") < len)
			len = word_len(text, false);
		if (len && is_hash(text, len)) {
			kma_strbuf_puts(out, "*");
			text += len;
			continue;
		}
		for (len = len ?: 1; len; len--, text++) {
			if (!is_digit(*text))
				kma_strbuf_add(out, text, 1);
			else if (!is_digit(text[1]) || len == 1)
				kma_strbuf_puts(out, "*");
		}
	}
}

void kma_name_keys(const struct kma_name_type *type, const char *key, struct kma_strbuf *out)
{
	for (size_t i = 0; type->keys[i]; i++, key += strlen(key) + 1) {
		if (type->exact & 1U << i)
			kma_strbuf_puts(out, key);
		else
			kma_name_pattern(key, out);
		kma_strbuf_add(out, "", 1);
	}
}

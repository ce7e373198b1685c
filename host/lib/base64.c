// SPDX-License-Identifier: GPL-2.0-only
/*
 * base64.c - bytes as text: three bytes are four characters of 6 bits each.
 */
#include <stdint.h>
#include <string.h>

#include "base64.h"

static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void kma_base64_encode(const void *data, size_t len, struct kma_strbuf *ret)
{
	const unsigned char *in = data;

	for (; len; in += 3) {
		size_t nr = len < 3 ? len : 3;
		uint32_t bits = in[0] << 16 | (nr > 1 ? in[1] << 8 : 0) | (nr > 2 ? in[2] : 0);
		char out[4] = "====";

		for (size_t i = 0; i <= nr; i++)
			out[i] = base64_digits[bits >> (18 - 6 * i) & 63];
		kma_strbuf_add(ret, out, sizeof(out));
		len -= nr;
	}
}

/* Values of the digits, plus 1; 0 for all other characters. */
static void base64_values(unsigned char ret[256])
{
	memset(ret, 0, 256);
	for (unsigned int i = 0; i < 64; i++)
		ret[(unsigned char)base64_digits[i]] = i + 1;
}

bool kma_base64_decode(const char *text, size_t len, struct kma_strbuf *ret)
{
	unsigned char values[256];

	base64_values(values);
	if (len % 4)
		return false;
	for (size_t at = 0; at < len; at += 4) {
		size_t nr = at + 4 < len || text[at + 3] != '=' ? 3 : text[at + 2] != '=' ? 2 : 1;
		uint32_t bits = 0;
		char out[3];

		for (size_t i = 0; i <= nr; i++) {
			unsigned char value = values[(unsigned char)text[at + i]];

			if (!value)
				return false;
			bits |= (uint32_t)(value - 1) << (18 - 6 * i);
		}
		/* The bits after the last byte are 0: no two texts mean the same bytes. */
		if (bits & ((1U << (24 - 8 * nr)) - 1))
			return false;
		for (size_t i = 0; i < nr; i++)
			out[i] = bits >> (16 - 8 * i);
		kma_strbuf_add(ret, out, nr);
	}
	return true;
}

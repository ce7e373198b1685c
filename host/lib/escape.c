// SPDX-License-Identifier: GPL-2.0-only
/*
 * escape.c - escapes for XML, JSON, CSV, terminals and pictures. escape.h has the rules.
 */
#include <stdbool.h>
#include <string.h>

#include "cleanup.h"
#include "escape.h"

#define KMA_REPLACEMENT "\xef\xbf\xbd"

unsigned int kma_utf8_len(const char *s)
{
	const unsigned char *u = (const unsigned char *)s;
	unsigned int len, i;
	unsigned long code;

	/* Smallest code point of each length: a longer form of a smaller code point is invalid. */
	static const unsigned long smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if (!u[0])
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] >= 0xf5 || u[0] < 0xc2)
		return 0;
	len = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
	code = u[0] & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (u[i] & 0x3f);
	}
	if (code < smallest[len] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return len;
}

void kma_escape_xml(struct kma_strbuf *sb, const char *text)
{
	static const char *const entity[128] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
	};
	unsigned int len;

	for (; *text; text += len ? len : 1) {
		unsigned char c = *text;

		len = kma_utf8_len(text);
		if (!len || c < 0x20 || c == 0x7f)
			kma_strbuf_puts(sb, KMA_REPLACEMENT);
		else if (len == 1 && entity[c])
			kma_strbuf_puts(sb, entity[c]);
		else
			kma_strbuf_add(sb, text, len);
	}
}

/* Code point of the character at @s. @len: from kma_utf8_len(). */
static unsigned long utf8_code(const char *s, unsigned int len)
{
	unsigned long code = len > 1 ? (unsigned char)*s & (0x7f >> len) : (unsigned char)*s;

	for (unsigned int i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/*
 * Does the character have a glyph, and leave the characters next to it unchanged? @len: from
 * kma_utf8_len()
 */
static bool utf8_drawn(const char *s, unsigned int len)
{
	static const struct {
		unsigned long first, last;
	} none[] = {
		{ 0, 0x1f },	    { 0x7f, 0x9f },	  { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfdd0, 0xfdef },	  { 0xfeff, 0xfeff }, { 0xfff0, 0xfffb },
		{ 0x061c, 0x061c }, { 0xe0000, 0xe0fff },
	};
	unsigned long code = utf8_code(s, len);

	/* The last two code points of each plane are not characters. */
	if (!len || (code & 0xfffe) == 0xfffe)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		if (code >= none[i].first && code <= none[i].last)
			return false;
	return true;
}

/* Append a code point as \uXXXX; above 16 bits as a pair of surrogates. */
static void escape_json_code(struct kma_strbuf *sb, unsigned long code)
{
	if (code > 0xffff)
		kma_strbuf_printf(sb, "\\u%04lx\\u%04lx", 0xd800 + ((code - 0x10000) >> 10),
				  0xdc00 + (code & 0x3ff));
	else
		kma_strbuf_printf(sb, "\\u%04lx", code);
}

void kma_escape_json(struct kma_strbuf *sb, const char *text)
{
	unsigned int len;

	kma_strbuf_puts(sb, "\"");
	for (; *text; text += len ? len : 1) {
		unsigned char c = *text;

		len = kma_utf8_len(text);
		if (!len)
			kma_strbuf_puts(sb, KMA_REPLACEMENT);
		else if (c == '"' || c == '\\')
			kma_strbuf_printf(sb, "\\%c", c);
		else if (!utf8_drawn(text, len))
			escape_json_code(sb, utf8_code(text, len));
		else
			kma_strbuf_add(sb, text, len);
	}
	kma_strbuf_puts(sb, "\"");
}

/* Append a CSV field. @before: text in front of @text, within the quotes. */
static void escape_csv_field(struct kma_strbuf *sb, const char *before, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		kma_strbuf_puts(sb, before);
		kma_strbuf_puts(sb, text);
		return;
	}
	kma_strbuf_puts(sb, "\"");
	kma_strbuf_puts(sb, before);
	for (; *text; text++) {
		if (*text == '"')
			kma_strbuf_puts(sb, "\"");
		kma_strbuf_add(sb, text, 1);
	}
	kma_strbuf_puts(sb, "\"");
}

void kma_escape_csv(struct kma_strbuf *sb, const char *text)
{
	escape_csv_field(sb, "", text);
}

void kma_escape_csv_safe(struct kma_strbuf *sb, const char *text)
{
	bool formula = *text && strchr("=+-@\t\r\n", *text);

	escape_csv_field(sb, formula ? "'" : "", text);
}

/*
 * Append one character for a terminal, or "?" if it has no glyph. Return: bytes of the character.
 */
static unsigned int escape_plain_one(struct kma_strbuf *sb, const char *text)
{
	unsigned int len = kma_utf8_len(text);

	if (utf8_drawn(text, len))
		kma_strbuf_add(sb, text, len);
	else
		kma_strbuf_add(sb, "?", 1);
	return len ? len : 1;
}

void kma_escape_plain(struct kma_strbuf *sb, const char *text)
{
	/* Bytes to examine: the end of the text, control characters, and all bytes above ASCII. */
	static const bool stops[256] = { [0 ... 0x1f] = true, [0x7f ... 0xff] = true };
	const char *from = text;

	for (;; from = text) {
		while (!stops[(unsigned char)*text])
			text++;
		kma_strbuf_add(sb, from, text - from);
		if (!*text)
			break;
		text += escape_plain_one(sb, text);
	}
}

void kma_escape_screen(struct kma_strbuf *sb, const char *text, size_t len)
{
	for (const char *end = text + len; text < end;) {
		size_t plain = 0;

		while (text + plain < end && (text[plain] == '\n' || text[plain] == '\t' ||
					      (text[plain] >= 0x20 && text[plain] < 0x7f)))
			plain++;
		kma_strbuf_add(sb, text, plain);
		text += plain;
		if (text < end)
			text += escape_plain_one(sb, text);
	}
}

void kma_escape_label(struct kma_strbuf *sb, const char *text)
{
	unsigned int len;

	for (; *text; text += len ? len : 1) {
		len = kma_utf8_len(text);
		if (utf8_drawn(text, len))
			kma_strbuf_add(sb, text, len);
		else
			kma_strbuf_puts(sb, KMA_REPLACEMENT);
	}
}

static const char base85_digits[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

void kma_escape_base85(struct kma_strbuf *sb, const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i += 4) {
		size_t some = len - i < 4 ? len - i : 4;
		uint32_t four = 0;
		char five[5];

		for (unsigned int k = 0; k < 4; k++)
			four = four << 8 | (k < some ? bytes[i + k] : 0);
		for (unsigned int k = 5; k--; four /= 85)
			five[k] = base85_digits[four % 85];
		kma_strbuf_add(sb, five, some + 1);
	}
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fit.c - measure and shorten texts on a terminal.
 */
#include <string.h>

#include "cleanup.h"
#include "escape.h"
#include "fit.h"

#define KMA_FIT_DOTS  "..."
#define KMA_FIT_LEAST 8	 /* columns; fewer cannot show both ends */
#define KMA_FIT_NAME  20 /* columns of a text before others are hidden */

static unsigned long fit_code(const char *s, unsigned int len)
{
	unsigned long code = len > 1 ? (unsigned char)*s & (0x7f >> len) : (unsigned char)*s;

	for (unsigned int i = 1; i < len; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/* Columns of one character of @len bytes. */
static unsigned int fit_width(const char *s, unsigned int len)
{
	/* Whole blocks of Unicode: terminals differ in the width of single characters. */
	static const struct {
		unsigned long first, last;
		unsigned int columns;
	} blocks[] = {
		{ 0x300, 0x36f, 0 },	 { 0x1ab0, 0x1aff, 0 }, { 0x1dc0, 0x1dff, 0 },
		{ 0x20d0, 0x20ff, 0 },	 { 0xfe00, 0xfe0f, 0 }, { 0xfe20, 0xfe2f, 0 },
		{ 0x1100, 0x115f, 2 },	 { 0x2e80, 0x303e, 2 }, { 0x3041, 0xa4cf, 2 },
		{ 0xac00, 0xd7a3, 2 },	 { 0xf900, 0xfaff, 2 }, { 0xfe30, 0xfe6f, 2 },
		{ 0xff00, 0xff60, 2 },	 { 0xffe0, 0xffe6, 2 }, { 0x1f300, 0x1faff, 2 },
		{ 0x20000, 0x3fffd, 2 },
	};
	unsigned long code = fit_code(s, len);

	for (size_t i = 0; len > 1 && i < ARRAY_SIZE(blocks); i++)
		if (code >= blocks[i].first && code <= blocks[i].last)
			return blocks[i].columns;
	return 1;
}

/* Bytes of the character at @s; a byte that is not valid UTF-8 counts as a character. */
static unsigned int fit_len(const char *s)
{
	return kma_utf8_len(s) ?: 1;
}

size_t kma_fit_columns(const char *text)
{
	size_t columns = 0;
	unsigned int len;

	for (; *text; text += len) {
		len = fit_len(text);
		columns += fit_width(text, len);
	}
	return columns;
}

/* Bytes at the beginning of @text that take at most @columns. */
static size_t fit_head(const char *text, size_t columns)
{
	const char *p = text;

	while (*p) {
		unsigned int len = fit_len(p), width = fit_width(p, len);

		if (width > columns)
			break;
		columns -= width;
		p += len;
	}
	return p - text;
}

void kma_fit_middle(struct kma_strbuf *sb, const char *text, size_t columns)
{
	size_t all = kma_fit_columns(text), tail, head;
	const char *end = text;

	if (all <= columns) {
		kma_strbuf_puts(sb, text);
		return;
	}
	if (columns < KMA_FIT_LEAST) {
		kma_strbuf_add(sb, text, fit_head(text, columns));
		return;
	}
	columns -= strlen(KMA_FIT_DOTS);
	tail = columns / 2;
	head = columns - tail;
	kma_strbuf_add(sb, text, fit_head(text, head));
	kma_strbuf_puts(sb, KMA_FIT_DOTS);
	while (kma_fit_columns(end) > tail)
		end += fit_len(end);
	kma_strbuf_puts(sb, end);
}

size_t kma_fit_wrap(struct kma_strbuf *sb, const char *text, size_t columns)
{
	size_t lines = 0, used = 0;

	while (*text) {
		_cleanup_strbuf_ struct kma_strbuf word = { 0 };
		size_t len = strcspn(text, " "), width;

		kma_strbuf_add(&word, text, len);
		width = kma_fit_columns(word.str ?: "");
		if (used && used + 1 + width > columns) {
			kma_strbuf_puts(sb, "\n");
			used = 0;
		}
		lines += !used;
		kma_strbuf_puts(sb, used ? " " : "");
		kma_strbuf_add(sb, text, len);
		used += width + !!used;
		/* A word that is longer than a line takes several of them. */
		lines += width > columns ? (width - 1) / columns : 0;
		text += len + strspn(text + len, " ");
	}
	kma_strbuf_puts(sb, lines ? "\n" : "");
	return lines;
}

/* Columns of the terminal by which a table is too wide; 0: it fits. */
static size_t fit_excess(const struct kma_fit_column *columns, size_t nr, size_t most)
{
	size_t total = 0;

	for (size_t i = 0; i < nr; i++)
		if (!columns[i].hidden)
			total += columns[i].width + columns[i].gap;
	return total > most ? total - most : 0;
}

/* Shorten the widest texts, but not below a width, until the table fits. */
static void fit_shorten(struct kma_fit_column *columns, size_t nr, size_t most, size_t least)
{
	while (fit_excess(columns, nr, most)) {
		size_t widest = nr;

		for (size_t i = 0; i < nr; i++)
			if (!columns[i].hidden && columns[i].longest && columns[i].width > least &&
			    (widest == nr || columns[i].width > columns[widest].width))
				widest = i;
		if (widest == nr)
			return;
		columns[widest].width--;
	}
}

/* Hide columns that must not be shortened, except the first one, until the table fits. */
static void fit_hide(struct kma_fit_column *columns, size_t nr, size_t most)
{
	size_t first = 0;

	while (first < nr && (columns[first].hidden || columns[first].longest))
		first++;
	for (size_t i = nr; i-- > first + 1 && fit_excess(columns, nr, most);)
		if (!columns[i].hidden && !columns[i].longest)
			columns[i].hidden = true;
}

bool kma_fit_table(struct kma_fit_column *columns, size_t nr, size_t most)
{
	for (size_t i = 0; i < nr; i++)
		if (columns[i].longest > columns[i].width)
			columns[i].width = columns[i].longest;
	if (!fit_excess(columns, nr, most))
		return false;
	for (size_t i = 0; i < nr; i++)
		if (columns[i].longest)
			columns[i].width = columns[i].longest;
	fit_shorten(columns, nr, most, KMA_FIT_NAME);
	fit_hide(columns, nr, most);
	for (size_t i = 0; i < nr; i++)
		if (columns[i].longest)
			columns[i].width = columns[i].longest;
	fit_shorten(columns, nr, most, KMA_FIT_LEAST);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-code.c - names and numbers as the short texts of a page's data.
 */
#include <string.h>

#include "page-code.h"

const char kma_page_letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* Length of "+0x1f/0x2c0" at the beginning of a text, 0 if that is not there. */
static size_t kma_page_offset(const char *text)
{
	static const char hex[] = "0123456789abcdef";
	size_t offset, size;

	if (strncmp(text, "+0x", 3))
		return 0;
	offset = strspn(text + 3, hex);
	if (!offset || strncmp(text + 3 + offset, "/0x", 3))
		return 0;
	size = strspn(text + 6 + offset, hex);
	return size ? 6 + offset + size : 0;
}

/*
 * A name between commas: "+1f/2c0" for the offset and size that most have, and what else
 * would be taken for a sign of ours as ~ and a letter.
 */
static void kma_page_spell(struct kma_strbuf *out, const char *name)
{
	while (*name) {
		size_t plain = strcspn(name, "+,~"), slash;

		kma_strbuf_add(out, name, plain);
		name += plain;
		plain = kma_page_offset(name);
		if (plain) {
			slash = strcspn(name, "/");
			kma_strbuf_puts(out, "+");
			kma_strbuf_add(out, name + 3, slash - 3);
			kma_strbuf_puts(out, "/");
			kma_strbuf_add(out, name + slash + 3, plain - slash - 3);
			name += plain;
		} else if (*name) {
			kma_strbuf_puts(out, *name == '+' ? "~p" : *name == ',' ? "~c" : "~t");
			name++;
		}
	}
}

/* Characters in common, of those that are one byte here and one in a script's text. */
static size_t kma_page_common(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n] && a[n] >= ' ' && a[n] < 0x7f)
		n++;
	return n;
}

void kma_page_name(struct kma_strbuf *text, struct kma_strbuf *last, const char *name)
{
	struct kma_strbuf mine = { 0 };
	size_t common;

	kma_page_spell(&mine, name);
	common = kma_page_common(last->str ?: "", mine.str ?: "", KMA_PAGE_LETTERS - 1);
	kma_strbuf_add(text, &kma_page_letters[common], 1);
	kma_strbuf_puts(text, (mine.str ?: "") + common);
	text->failed |= mine.failed;
	kma_strbuf_deinit(last);
	*last = mine;
}

void kma_page_base36(struct kma_strbuf *out, uint64_t value)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char text[16], *p = text + sizeof(text);

	do
		*--p = digits[value % 36];
	while (value /= 36);
	kma_strbuf_add(out, p, text + sizeof(text) - p);
}

static void kma_page_column_zeros(struct kma_page_column *column)
{
	if (!column->zeros)
		return;
	kma_strbuf_puts(column->out, column->comma);
	kma_strbuf_puts(column->out, column->zeros > 1 ? ":" : "0");
	if (column->zeros > 1)
		kma_page_base36(column->out, column->zeros);
	column->comma = ",";
	column->zeros = 0;
}

void kma_page_column_add(struct kma_page_column *column, uint64_t value)
{
	if (!value) {
		column->zeros++;
		return;
	}
	kma_page_column_zeros(column);
	kma_strbuf_puts(column->out, column->comma);
	kma_page_base36(column->out, value);
	column->comma = ",";
}

struct kma_page_column kma_page_column_begin(struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "\"");
	return (struct kma_page_column){ .out = out, .comma = "" };
}

void kma_page_column_end(struct kma_page_column *column)
{
	kma_page_column_zeros(column);
	kma_strbuf_puts(column->out, "\"");
}

void kma_page_key(struct kma_strbuf *out, const char *key)
{
	bool first = out->len && out->str[out->len - 1] == '{';

	kma_strbuf_printf(out, "%s\"%s\":", first ? "" : ",\n", key);
}

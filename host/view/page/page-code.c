// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-code.c - write names and numbers as the short texts of a page's data.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "page-code.h"

/* Most hexadecimal digits of an offset: a number of a script is exact up to 53 bits. */
#define KMA_PAGE_HEX 13

const char kma_page_letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/* Writes a number. Its last digit has letters of its own, so that no separator is needed. */
static void kma_page_number(struct kma_strbuf *out, uint64_t value)
{
	static const char last[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
	static const char before[] = "!#$%&()*+,./;=?@";
	char text[24], *p = text + sizeof(text);

	*--p = last[value % 64];
	for (value /= 64; value; value /= 16)
		*--p = before[value % 16];
	kma_strbuf_add(out, p, text + sizeof(text) - p);
}

/* Writes the zeros that were counted. */
static void kma_page_column_flush(struct kma_page_column *column)
{
	if (column->zeros > 1)
		kma_strbuf_puts(column->out, ":");
	if (column->zeros)
		kma_page_number(column->out, column->zeros > 1 ? column->zeros : 0);
	column->zeros = 0;
}

void kma_page_column_add(struct kma_page_column *column, uint64_t value)
{
	if (!value) {
		column->zeros++;
		return;
	}
	kma_page_column_flush(column);
	kma_page_number(column->out, value);
}

/* Reads a hexadecimal number without a leading zero, exact in a script. Returns its length or 0. */
static size_t kma_page_hex(const char *text, uint64_t *value)
{
	size_t len = strspn(text, "0123456789abcdef");

	if (!len || len > KMA_PAGE_HEX || (len > 1 && *text == '0'))
		return 0;
	*value = strtoull(text, NULL, 16);
	return len;
}

/* Length of "+0x1f/0x2c0" at the start of a text; 0: the text does not start so. */
static size_t kma_page_offset(const char *text, uint64_t *offset, uint64_t *size)
{
	size_t first, second;

	if (strncmp(text, "+0x", 3))
		return 0;
	first = kma_page_hex(text + 3, offset);
	if (!first || strncmp(text + 3 + first, "/0x", 3))
		return 0;
	second = kma_page_hex(text + 6 + first, size);
	return second ? 6 + first + second : 0;
}

/*
 * Encodes a name: "+" replaces its offset and size, which become numbers of the columns. Other "+",
 * "," and "~" are escaped as "~" and a letter.
 */
static void kma_page_spell(struct kma_page_names *names, struct kma_strbuf *out, const char *name)
{
	uint64_t offset, size;

	while (*name) {
		size_t plain = strcspn(name, "+,~");

		kma_strbuf_add(out, name, plain);
		name += plain;
		plain = kma_page_offset(name, &offset, &size);
		if (plain) {
			kma_strbuf_puts(out, "+");
			kma_page_column_add(&names->offsets, offset);
			kma_page_column_add(&names->sizes, size);
			name += plain;
		} else if (*name) {
			kma_strbuf_puts(out, *name == '+' ? "~p" : *name == ',' ? "~c" : "~t");
			name++;
		}
	}
}

/* Length of the common prefix, of ASCII only: other characters have another length in a script. */
static size_t kma_page_common(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n] && a[n] >= ' ' && a[n] < 0x7f)
		n++;
	return n;
}

void kma_page_names_begin(struct kma_page_names *names)
{
	*names = (struct kma_page_names){ 0 };
	names->offsets.out = &names->offset_text;
	names->sizes.out = &names->size_text;
}

void kma_page_names_sign(struct kma_page_names *names, const char *sign)
{
	kma_strbuf_puts(&names->text, names->nr++ ? "," : "");
	kma_strbuf_puts(&names->text, sign);
}

void kma_page_names_add(struct kma_page_names *names, const char *name)
{
	struct kma_strbuf mine = { 0 };
	size_t common;

	kma_page_spell(names, &mine, name);
	common = kma_page_common(names->last.str ?: "", mine.str ?: "", KMA_PAGE_LETTERS - 1);
	kma_strbuf_puts(&names->text, names->nr++ ? "," : "");
	kma_strbuf_add(&names->text, &kma_page_letters[common], 1);
	kma_strbuf_puts(&names->text, (mine.str ?: "") + common);
	kma_strbuf_deinit(&names->last);
	names->last = mine;
}

void kma_page_names_end(struct kma_page_names *names, struct kma_strbuf *out)
{
	kma_page_column_flush(&names->offsets);
	kma_page_column_flush(&names->sizes);
	kma_strbuf_puts(out, "[");
	kma_escape_json(out, names->text.str ?: "");
	kma_strbuf_puts(out, ",\"");
	kma_strbuf_puts(out, names->offset_text.str ?: "");
	kma_strbuf_puts(out, "\",\"");
	kma_strbuf_puts(out, names->size_text.str ?: "");
	kma_strbuf_puts(out, "\"]");
	kma_strbuf_deinit(&names->text);
	kma_strbuf_deinit(&names->last);
	kma_strbuf_deinit(&names->offset_text);
	kma_strbuf_deinit(&names->size_text);
}

struct kma_page_column kma_page_column_begin(struct kma_strbuf *out)
{
	kma_strbuf_puts(out, "\"");
	return (struct kma_page_column){ .out = out };
}

void kma_page_column_end(struct kma_page_column *column)
{
	kma_page_column_flush(column);
	kma_strbuf_puts(column->out, "\"");
}

void kma_page_key(struct kma_strbuf *out, const char *key)
{
	bool first = out->len && out->str[out->len - 1] == '{';

	kma_strbuf_printf(out, "%s\"%s\":", first ? "" : ",\n", key);
}

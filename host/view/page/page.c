// SPDX-License-Identifier: GPL-2.0-only
/*
 * page.c - write a chart as one HTML file.
 *
 * All parts except the title and the data are fixed when the program is built. So the text contains
 * the hashes of script and style, and the page's own policy forbids other scripts and the network.
 * Names of an input cannot become code: the data is in a block that browsers do not execute, no
 * "<" is in it, and the script inserts it only as text.
 *
 * The data is compressed (zlib, base 85), because browsers can decompress streams since 2023. Short
 * data and data with --plain is written as it is.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "page-data.h"
#include "page-text.h"
#include "page.h"

void kma_page_embed(struct kma_strbuf *out, const char *json)
{
	static const struct {
		const char *bytes, *escape;
	} table[] = {
		{ "<", "\\u003c" },
		{ "\xe2\x80\xa8", "\\u2028" },
		{ "\xe2\x80\xa9", "\\u2029" },
	};
	const char *from = json;

	while (*json) {
		size_t plain = strcspn(json, "<\xe2"), i;

		json += plain;
		for (i = 0; i < ARRAY_SIZE(table); i++)
			if (!strncmp(json, table[i].bytes, strlen(table[i].bytes)))
				break;
		if (i == ARRAY_SIZE(table)) {
			json += *json != '\0';
			continue;
		}
		kma_strbuf_add(out, from, json - from);
		kma_strbuf_puts(out, table[i].escape);
		json += strlen(table[i].bytes);
		from = json;
	}
	kma_strbuf_add(out, from, json - from);
}

/* Data of fewer bytes is not compressed. */
#define KMA_PAGE_PACK 4096

/* Writes {"deflate":"..."}: the JSON as a zlib stream in base 85, five letters for four bytes. */
static struct kma_err *kma_page_pack(const struct kma_strbuf *data, struct kma_strbuf *out)
{
	_cleanup_free_ unsigned char *packed = NULL;
	uLongf len = compressBound(data->len);

	packed = malloc(len);
	if (!packed || compress2(packed, &len, (const Bytef *)data->str, data->len,
				 Z_BEST_COMPRESSION) != Z_OK)
		return &kma_enomem;
	kma_strbuf_puts(out, "{\"format\":\"kmem-account page\",\"version\":4,\n\"deflate\":\"");
	kma_escape_base85(out, packed, len);
	kma_strbuf_puts(out, "\"}\n");
	return NULL;
}

struct kma_err *kma_page_write(const struct kma_chart *chart, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	struct kma_err *err;

	err = kma_page_data(chart, &data);
	if (err)
		return err;
	kma_strbuf_puts(out, kma_page_head);
	kma_escape_xml(out, kma_chart_title(chart));
	kma_strbuf_puts(out, kma_page_middle);
	if (chart->plain || data.len < KMA_PAGE_PACK)
		kma_page_embed(out, data.str);
	else
		err = kma_page_pack(&data, out);
	kma_strbuf_puts(out, kma_page_tail);
	return err;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * doc.c - a document: its beginning, its end and its head.
 */
#include <inttypes.h>

#include "doc.h"
#include "escape.h"

void kma_doc_begin(struct kma_doc *doc, enum kma_format format, const char *name,
		   unsigned int version, struct kma_strbuf *out)
{
	doc->format = format;
	doc->out = out;
	doc->json = (struct kma_json){ .out = out };
	if (format != KMA_FORMAT_JSON)
		return;
	kma_json_begin(&doc->json, NULL, '{', KMA_JSON_LINES);
	kma_json_text(&doc->json, "format", name);
	kma_json_number(&doc->json, "version", version);
}

void kma_doc_end(struct kma_doc *doc)
{
	if (doc->format != KMA_FORMAT_JSON)
		return;
	kma_json_end(&doc->json);
	kma_strbuf_puts(doc->out, "\n");
}

void kma_doc_text(struct kma_doc *doc, const char *name, const char *title, const char *text)
{
	if (doc->format == KMA_FORMAT_JSON && name)
		kma_json_text(&doc->json, name, text);
	if (doc->format != KMA_FORMAT_TABLE || !title)
		return;
	kma_escape_plain(doc->out, title);
	kma_strbuf_puts(doc->out, ": ");
	kma_escape_plain(doc->out, text);
	kma_strbuf_puts(doc->out, "\n");
}

void kma_doc_number(struct kma_doc *doc, const char *name, const char *title, uint64_t number)
{
	if (doc->format == KMA_FORMAT_JSON && name)
		kma_json_number(&doc->json, name, number);
	if (doc->format == KMA_FORMAT_TABLE && title)
		kma_strbuf_printf(doc->out, "%s: %" PRIu64 "\n", title, number);
}

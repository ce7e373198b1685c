// SPDX-License-Identifier: GPL-2.0-only
/*
 * doc.c - a document: its beginning, its end and its head.
 */
#include <inttypes.h>
#include <stdio.h>

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

static void kma_doc_member(struct kma_doc *doc, const char *title, const char *text)
{
	if (doc->format == KMA_FORMAT_TABLE) {
		kma_escape_plain(doc->out, title);
		kma_strbuf_puts(doc->out, ": ");
		kma_escape_plain(doc->out, text);
		kma_strbuf_puts(doc->out, "\n");
	} else if (doc->format == KMA_FORMAT_HTML) {
		kma_strbuf_puts(doc->out, "<p>");
		kma_escape_xml(doc->out, title);
		kma_strbuf_puts(doc->out, ": ");
		kma_escape_xml(doc->out, text);
		kma_strbuf_puts(doc->out, "</p>\n");
	}
}

void kma_doc_text(struct kma_doc *doc, const char *name, const char *title, const char *text)
{
	if (doc->format == KMA_FORMAT_JSON && name)
		kma_json_text(&doc->json, name, text);
	if (title)
		kma_doc_member(doc, title, text);
}

void kma_doc_number(struct kma_doc *doc, const char *name, const char *title, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	if (doc->format == KMA_FORMAT_JSON && name)
		kma_json_number(&doc->json, name, number);
	if (title)
		kma_doc_member(doc, title, text);
}

void kma_doc_line(struct kma_doc *doc, const char *text)
{
	if (doc->format == KMA_FORMAT_TABLE) {
		kma_strbuf_puts(doc->out, "\n");
		kma_escape_plain(doc->out, text);
		kma_strbuf_puts(doc->out, "\n");
	} else if (doc->format == KMA_FORMAT_HTML) {
		kma_strbuf_puts(doc->out, "<p>");
		kma_escape_xml(doc->out, text);
		kma_strbuf_puts(doc->out, "</p>\n");
	}
}

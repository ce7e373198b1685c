// SPDX-License-Identifier: GPL-2.0-only
/*
 * doc.c - a document: its beginning, its end and its head.
 */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "doc.h"
#include "escape.h"
#include "fit.h"
#include "terminal.h"

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

void kma_doc_fit(struct kma_doc *doc, bool fit)
{
	struct kma_terminal size;

	if (!fit || !kma_terminal_size(STDOUT_FILENO, &size))
		return;
	doc->width = size.columns;
	doc->lines = size.lines;
}

void kma_doc_end(struct kma_doc *doc)
{
	if (doc->format != KMA_FORMAT_JSON)
		return;
	kma_json_end(&doc->json);
	kma_strbuf_puts(doc->out, "\n");
}

/* Write a line of a table. If the terminal is too narrow, break it between words. */
static void doc_paragraph(struct kma_doc *doc, const struct kma_strbuf *line)
{
	const char *text = line->str ?: "";

	if (doc->width && kma_fit_columns(text) > doc->width)
		kma_fit_wrap(doc->out, text, doc->width);
	else
		kma_strbuf_printf(doc->out, "%s\n", text);
}

static void doc_member(struct kma_doc *doc, const char *title, const char *text)
{
	if (doc->format == KMA_FORMAT_TABLE) {
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };

		kma_escape_plain(&line, title);
		kma_strbuf_puts(&line, ": ");
		kma_escape_plain(&line, text);
		doc_paragraph(doc, &line);
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
		doc_member(doc, title, text);
}

void kma_doc_number(struct kma_doc *doc, const char *name, const char *title, uint64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	if (doc->format == KMA_FORMAT_JSON && name)
		kma_json_number(&doc->json, name, number);
	if (title)
		doc_member(doc, title, text);
}

void kma_doc_line(struct kma_doc *doc, const char *text)
{
	if (doc->format == KMA_FORMAT_TABLE) {
		_cleanup_strbuf_ struct kma_strbuf line = { 0 };

		kma_escape_plain(&line, text);
		kma_strbuf_puts(doc->out, "\n");
		doc_paragraph(doc, &line);
	} else if (doc->format == KMA_FORMAT_HTML) {
		kma_strbuf_puts(doc->out, "<p>");
		kma_escape_xml(doc->out, text);
		kma_strbuf_puts(doc->out, "</p>\n");
	}
}

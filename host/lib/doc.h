/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doc.h - a document: all that a command prints. A command adds members of the head and sheets
 * (sheet.h) in the order in which they are shown, and does not depend on the format: the document
 * writes them as a table for people, as CSV, as JSON, or as elements of HTML for a page. CSV has
 * only the sheets, without the head.
 *
 * Each JSON document begins with "format", which names the command, and "version".
 */
#ifndef KMA_LIB_DOC_H
#define KMA_LIB_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format.h"
#include "json.h"
#include "strbuf.h"

struct kma_doc {
	enum kma_format format;
	bool bytes;	     /* table: numbers of bytes, not "1.2 KiB" */
	bool csv_safe;	     /* CSV: spreadsheets must not take a text for a formula */
	size_t width;	     /* table: columns of the terminal; 0: lines are not shortened */
	size_t lines;	     /* table: lines of the terminal; 0: all rows are written */
	size_t below;	     /* table: lines that the caller writes after the last ranked sheet */
	unsigned int ranked; /* table: ranked sheets that follow and share @lines; 0 means 1 */
	size_t cells;	     /* CSV: cells of a row of the last sheet */
	struct kma_strbuf *out;
	struct kma_json json; /* JSON: state of the text */
};

/*
 * @doc is zeroed except for @bytes, @csv_safe and @width. @name is the value of "format" in JSON,
 * such as "kmem-account report", and @version that of "version". @out must live until
 * kma_doc_end().
 */
void kma_doc_begin(struct kma_doc *doc, enum kma_format format, const char *name,
		   unsigned int version, struct kma_strbuf *out);

/*
 * Sets @width and @lines if the standard output is a terminal (see kma_sheet_write()). @fit is
 * false if the user wants all rows, or the document goes to a file.
 */
void kma_doc_fit(struct kma_doc *doc, bool fit);

void kma_doc_end(struct kma_doc *doc);

/*
 * Members of the head. @name is their name in JSON; a table and HTML have the line "TITLE: TEXT".
 * NULL: not shown there.
 */
void kma_doc_text(struct kma_doc *doc, const char *name, const char *title, const char *text);
void kma_doc_number(struct kma_doc *doc, const char *name, const char *title, uint64_t number);

/* Adds a sentence to HTML, or to a table after an empty line. */
void kma_doc_line(struct kma_doc *doc, const char *text);

/* The text, for members that only JSON has; NULL if the document is not JSON. */
static inline struct kma_json *kma_doc_json(struct kma_doc *doc)
{
	return doc->format == KMA_FORMAT_JSON ? &doc->json : NULL;
}

/* The string, for lines that only a table has; NULL if the document is not a table. */
static inline struct kma_strbuf *kma_doc_table(struct kma_doc *doc)
{
	return doc->format == KMA_FORMAT_TABLE ? doc->out : NULL;
}

#endif /* KMA_LIB_DOC_H */

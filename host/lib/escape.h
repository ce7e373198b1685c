/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - the only place that escapes. Names of symbols, modules and files are untrusted data
 * and may contain any byte.
 *
 * Bytes that are not valid UTF-8 become U+FFFD in XML, JSON and pictures, and "?" on a terminal. So
 * do control characters in XML, in pictures and on a terminal; JSON writes them as numbers. CSV
 * keeps all bytes, so that a name can be found again; kma_outfile_text() replaces them if the file
 * is a terminal.
 */
#ifndef KMA_LIB_ESCAPE_H
#define KMA_LIB_ESCAPE_H

#include "strbuf.h"

/* Safe in the content of elements and in attributes. */
void kma_escape_xml(struct kma_strbuf *sb, const char *text);

/*
 * Appends a JSON string with its quotes. Characters without a glyph (see kma_escape_label()) are
 * written as numbers (\\u009b). A terminal that shows the JSON text therefore does not execute
 * them, and programs read the same string.
 */
void kma_escape_json(struct kma_strbuf *sb, const char *text);

/* Appends one field (RFC 4180), quoted if needed. */
void kma_escape_csv(struct kma_strbuf *sb, const char *text);

/*
 * As kma_escape_csv(), but no spreadsheet takes the field for a formula: a text that begins with =
 * + - @, a tab, a carriage return or a line feed gets a ' in front of it.
 */
void kma_escape_csv_safe(struct kma_strbuf *sb, const char *text);

/*
 * For a terminal: "?" replaces each character without a glyph, as kma_escape_label() lists them,
 * also the control characters above ASCII (C1).
 */
void kma_escape_plain(struct kma_strbuf *sb, const char *text);

/*
 * As kma_escape_plain(), but newlines and tabs stay. @text is terminated after @len bytes, and may
 * contain zero bytes before.
 */
void kma_escape_screen(struct kma_strbuf *sb, const char *text, size_t len);

/*
 * For a picture: U+FFFD replaces each character without a glyph. These are invalid UTF-8, control
 * characters, invalid code points, and marks that change the direction of the text next to them.
 */
void kma_escape_label(struct kma_strbuf *sb, const char *text);

/*
 * Appends five characters for each four bytes. The digits are those of RFC 1924 with a comma
 * instead of "<", so the text needs no escapes in JSON and in HTML. Four bytes are a big-endian
 * number, written as five digits. If the last group has only n bytes, it is filled up with zeros,
 * and only its first n + 1 digits are written.
 */
void kma_escape_base85(struct kma_strbuf *sb, const unsigned char *bytes, size_t len);

/*
 * Bytes of the UTF-8 character at the beginning of @s, 1 to 4; 0 if @s is empty or does not begin
 * with a valid character.
 */
unsigned int kma_utf8_len(const char *s);

#endif /* KMA_LIB_ESCAPE_H */

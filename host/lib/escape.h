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

/**
 * kma_escape_xml() - append text that is safe in the content of elements and in attributes
 * @sb: appended to
 * @text: any bytes
 */
void kma_escape_xml(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_json() - append text as a JSON string with its quotes
 * @sb: appended to
 * @text: any bytes
 *
 * Characters without a glyph (see kma_escape_label()) are written as numbers (\\u009b). A terminal
 * that shows the JSON text therefore does not execute them, and programs read the same string.
 */
void kma_escape_json(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_csv() - append text as one CSV field (RFC 4180), quoted if needed
 * @sb: appended to
 * @text: any bytes
 */
void kma_escape_csv(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_csv_safe() - append text as one CSV field that no spreadsheet takes for a formula
 * @sb: appended to
 * @text: any bytes
 *
 * A text that begins with = + - @, a tab, a carriage return or a line feed gets a ' in front of
 * it, which makes it a text for spreadsheets.
 */
void kma_escape_csv_safe(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_plain() - append text for a terminal, with ? for each character without a glyph
 * @sb: appended to
 * @text: any bytes
 *
 * kma_escape_label() has the list of these characters. It includes the control characters above
 * ASCII (C1).
 */
void kma_escape_plain(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_screen() - append a text of several lines for a terminal
 * @sb: appended to
 * @text: terminated after @len bytes; may contain zero bytes before
 * @len: bytes of @text without the terminator
 *
 * As kma_escape_plain(), but newlines and tabs stay.
 */
void kma_escape_screen(struct kma_strbuf *sb, const char *text, size_t len);

/**
 * kma_escape_label() - append text for a picture: characters without a glyph become U+FFFD
 * @sb: appended to
 * @text: any bytes
 *
 * These are invalid UTF-8, control characters, invalid code points, and marks that change the
 * direction of the text next to them.
 */
void kma_escape_label(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_base85() - append bytes as text, five characters for each four bytes
 * @sb: appended to
 * @bytes: any bytes
 * @len: number of bytes
 *
 * The digits are those of RFC 1924 with a comma instead of "<", so the text needs no escapes in
 * JSON and in HTML. Four bytes are a big-endian number, written as five digits. If the last group
 * has only n bytes, it is filled up with zeros, and only its first n + 1 digits are written.
 */
void kma_escape_base85(struct kma_strbuf *sb, const unsigned char *bytes, size_t len);

/**
 * kma_utf8_len() - get the length of the UTF-8 character at the beginning of a string
 * @s: terminated bytes
 *
 * Return: 1 to 4 bytes; 0 if @s is empty or does not begin with a valid character.
 */
unsigned int kma_utf8_len(const char *s);

#endif /* KMA_LIB_ESCAPE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - the only place that escapes. Names of symbols, modules and files are untrusted data
 * and may contain any byte. Bytes that are not valid UTF-8 become U+FFFD in XML and JSON; control
 * characters that XML forbids, too.
 */
#ifndef KMA_LIB_ESCAPE_H
#define KMA_LIB_ESCAPE_H

#include "strbuf.h"

/**
 * kma_escape_xml() - append text, safe in element content and attributes
 * @sb: where to
 * @text: any bytes
 */
void kma_escape_xml(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_json() - append text as a JSON string with its quotes
 * @sb: where to
 * @text: any bytes
 *
 * Characters without a glyph (see kma_escape_label()) are written as numbers (\\u009b). A terminal
 * that shows the JSON text therefore does not execute them, and programs read the same string.
 */
void kma_escape_json(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_csv() - append text as one CSV field (RFC 4180), quoted if needed
 * @sb: where to
 * @text: any bytes
 */
void kma_escape_csv(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_csv_safe() - append text as one CSV field that no spreadsheet takes for a formula
 * @sb: where to
 * @text: any bytes
 *
 * A text that begins with = + - @, a tab, a carriage return or a line feed gets a ' in front of
 * it, which makes it a text for spreadsheets.
 */
void kma_escape_csv_safe(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_plain() - append text for a terminal, with ? for each character without a glyph
 * @sb: where to
 * @text: any bytes
 *
 * kma_escape_label() has the list of these characters. It includes the control characters above
 * ASCII (C1).
 */
void kma_escape_plain(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_screen() - append a whole text of several lines for a terminal
 * @sb: where to
 * @text: terminated, may contain other zero bytes
 * @len: its length
 *
 * As kma_escape_plain(), but newlines and tabs stay.
 */
void kma_escape_screen(struct kma_strbuf *sb, const char *text, size_t len);

/**
 * kma_escape_label() - append text for a picture: characters without a glyph become U+FFFD
 * @sb: where to
 * @text: any bytes
 *
 * These are invalid UTF-8, control characters, invalid code points, and marks that change the
 * direction of the text next to them.
 */
void kma_escape_label(struct kma_strbuf *sb, const char *text);

/**
 * kma_escape_base85() - append bytes as text, five letters for each four bytes
 * @sb: where to
 * @bytes: any bytes
 * @len: how many
 *
 * The digits are those of RFC 1924 with a comma in place of "<", so the text can be in JSON and in
 * HTML as it is. Four bytes are a number, the first byte the highest. At the end bytes of 0 fill up
 * the four, and as many letters are left out.
 */
void kma_escape_base85(struct kma_strbuf *sb, const unsigned char *bytes, size_t len);

/**
 * kma_utf8_len() - length of the UTF-8 character at the beginning of a string
 * @s: terminated bytes
 *
 * Return: 1 to 4; 0 when @s does not begin with a valid character or is empty.
 */
unsigned int kma_utf8_len(const char *s);

#endif /* KMA_LIB_ESCAPE_H */

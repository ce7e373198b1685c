// SPDX-License-Identifier: GPL-2.0-only
/*
 * unread.c - notes about the lines of an event log that were not counted.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/sheet.h"
#include "unread.h"

/* Keys of the notes, and the members that they have. */
static const struct {
	const char *key;
	size_t member;
} kma_unread_notes[] = {
	{ "event lines", offsetof(struct kma_unread, all) },
	{ "event lines not read", offsetof(struct kma_unread, lines) },
	{ "first event line not read", offsetof(struct kma_unread, first) },
};

void kma_unread_note(struct kma_account *account, const struct kma_unread *unread)
{
	char text[24];

	for (size_t i = 0; i < ARRAY_SIZE(kma_unread_notes) && unread->lines; i++) {
		snprintf(text, sizeof(text), "%" PRIu64,
			 *(const uint64_t *)((const char *)unread + kma_unread_notes[i].member));
		kma_account_put_note(account, kma_unread_notes[i].key, text);
	}
}

bool kma_unread_of(const struct kma_account *account, struct kma_unread *ret)
{
	const char *text;

	*ret = (struct kma_unread){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(kma_unread_notes) && account; i++) {
		text = kma_account_note(account, kma_unread_notes[i].key);
		if (text)
			*(uint64_t *)((char *)ret + kma_unread_notes[i].member) =
				strtoull(text, NULL, 10);
	}
	return ret->lines;
}

bool kma_unread_too_many(const struct kma_unread *unread)
{
	/* 100 * lines > all, without an overflow */
	return unread->lines > unread->all / 100;
}

void kma_unread_text(const struct kma_unread *unread, const char *input, struct kma_strbuf *out)
{
	if (!unread->lines)
		return;
	kma_strbuf_printf(out,
			  "%" PRIu64
			  " event %s not understood and not counted (first: line %" PRIu64 "%s%s).",
			  unread->lines, kma_plural(unread->lines, "line was", "lines were"),
			  unread->first, input ? " of " : "", input ?: "");
}

void kma_unread_json(const struct kma_unread *unread, const char *input, struct kma_json *json)
{
	if (!unread->lines)
		return;
	kma_json_begin(json, "event_lines_not_read", '{', KMA_JSON_INLINE);
	kma_json_number(json, "lines", unread->lines);
	kma_json_number(json, "first_line", unread->first);
	if (input)
		kma_json_text(json, "input", input);
	kma_json_end(json);
}

void kma_unread_row(const struct kma_unread *unread, const char *input, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	if (!unread->lines)
		return;
	kma_strbuf_printf(&text,
			  "[event lines not read: %" PRIu64 "; first: line %" PRIu64 " of %s]",
			  unread->lines, unread->first, input);
	kma_sheet_remark(doc, text.str ?: "");
}

void kma_unread_write(const struct kma_unread *unread, const char *input, struct kma_doc *doc)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_unread_text(unread, input, &text);
	if (text.len)
		kma_doc_line(doc, text.str);
	if (kma_doc_json(doc))
		kma_unread_json(unread, input, kma_doc_json(doc));
	kma_unread_row(unread, input, doc);
}

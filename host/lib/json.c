// SPDX-License-Identifier: GPL-2.0-only
/*
 * json.c - write a JSON text member by member.
 */
#include <stdlib.h>

#include "escape.h"
#include "json.h"

static void json_indent(const struct kma_json *json)
{
	kma_strbuf_puts(json->out, "\n");
	for (unsigned int i = 0; i < json->depth; i++)
		kma_strbuf_puts(json->out, "  ");
}

/* Append what precedes a member: a comma unless it is the first one, and blanks or a line break. */
static void json_separate(struct kma_json *json)
{
	unsigned int level = json->depth - 1;
	bool any;

	if (!json->depth)
		return;
	any = json->levels[level].any;
	json->levels[level].any = true;
	switch (json->levels[level].style) {
	case KMA_JSON_LINES:
		kma_strbuf_puts(json->out, any ? "," : "");
		json_indent(json);
		break;
	case KMA_JSON_INLINE:
		kma_strbuf_puts(json->out, any ? ", " : "");
		break;
	case KMA_JSON_SPACED:
		kma_strbuf_puts(json->out, any ? ", " : " ");
		break;
	}
}

void kma_json_name(struct kma_json *json, const char *name)
{
	json_separate(json);
	if (!name)
		return;
	kma_escape_json(json->out, name);
	kma_strbuf_puts(json->out, ": ");
}

void kma_json_begin(struct kma_json *json, const char *name, char bracket,
		    enum kma_json_style style)
{
	unsigned int level = json->depth;

	kma_json_name(json, name);
	kma_strbuf_add(json->out, &bracket, 1);
	json->depth++;
	if (level >= KMA_JSON_DEPTH)
		abort();
	json->levels[level].style = style;
	json->levels[level].end = bracket == '{' ? '}' : ']';
	json->levels[level].any = false;
}

void kma_json_end(struct kma_json *json)
{
	unsigned int level = --json->depth;

	if (json->levels[level].style == KMA_JSON_LINES)
		json_indent(json);
	else if (json->levels[level].style == KMA_JSON_SPACED)
		kma_strbuf_puts(json->out, " ");
	kma_strbuf_add(json->out, &json->levels[level].end, 1);
}

void kma_json_text(struct kma_json *json, const char *name, const char *text)
{
	kma_json_name(json, name);
	kma_escape_json(json->out, text);
}

void kma_json_number(struct kma_json *json, const char *name, uint64_t number)
{
	kma_json_name(json, name);
	kma_strbuf_u64(json->out, number);
}

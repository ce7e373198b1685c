/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.h - write a JSON text member by member. The writer adds commas, line breaks and escapes, so
 * that no caller writes JSON by hand. The @name of a member is NULL in a list, and for the whole
 * text.
 */
#ifndef KMA_LIB_JSON_H
#define KMA_LIB_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "strbuf.h"

/* How the members of an object or a list are separated. */
enum kma_json_style {
	KMA_JSON_LINES,	 /* each on a line of its own */
	KMA_JSON_INLINE, /* {"a": 1, "b": 2} */
	KMA_JSON_SPACED, /* { "a": 1, "b": 2 } */
};

/* Limit of nested objects and lists. */
#define KMA_JSON_DEPTH 8

struct kma_json {
	struct kma_strbuf *out; /* the text is appended to it */
	unsigned int depth;	/* number of open objects and lists, also above KMA_JSON_DEPTH */
	struct {
		enum kma_json_style style;
		char end; /* closing bracket */
		bool any; /* a member was written: the next one needs a comma */
	} levels[KMA_JSON_DEPTH];
};

/* @bracket is '{' or '['. */
void kma_json_begin(struct kma_json *json, const char *name, char bracket,
		    enum kma_json_style style);

/* Closes the object or list that was opened last. */
void kma_json_end(struct kma_json *json);

/* The caller appends the value to @json->out. */
void kma_json_name(struct kma_json *json, const char *name);

void kma_json_text(struct kma_json *json, const char *name, const char *text);
void kma_json_number(struct kma_json *json, const char *name, uint64_t number);

#endif /* KMA_LIB_JSON_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * lds.c - read from a linker script which section of an object goes to which section of the image.
 *
 * The script is split into words. A recursive descent finds the bodies of output sections and in
 * them the statements FILE(SECTION...). Each pattern of a section becomes a rule; all rules of one
 * statement have its number as their rank. As with ld, the first rule that matches wins. Nesting of
 * KEEP() is limited to 4, so that a script cannot exhaust the stack; a word is cut after 511 bytes.
 *
 * A kernel has tens of thousands of sections, but few names of them. An answer that is the same for
 * all objects (all rules that were tried match any file) is remembered by the section's name.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lds.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"

struct kma_lds_rule {
	const char *output;  /* name of the section of the image */
	const char *file;    /* pattern of the object's path */
	const char *section; /* pattern of the section's name */
	uint32_t rank;	     /* number of the statement, with KMA_LDS_SORTED if it sorts */
};

/* The output of all sections of one name, if it is the same for all objects. */
struct kma_lds_answer {
	const char *section;
	const char *output; /* NULL: no rule matches */
	uint32_t rank;
};

struct kma_lds {
	struct kma_lds_rule *rules; /* in the order of the script */
	size_t nr;
	size_t alloc;
	struct kma_lds_answer *answers; /* sorted by section */
	size_t nr_answers;
	size_t alloc_answers;
	struct kma_arena names; /* all texts */
};

/* The position of a parser. */
struct kma_lds_parser {
	struct kma_lds *lds;
	const char *at, *end;
	const char *output; /* name of the output section that is being read */
	uint32_t rank;	    /* of the current statement */
	char word[512];	    /* the current word, "" at the end of the script */
};

void kma_lds_destroy(struct kma_lds *lds)
{
	if (!lds)
		return;
	kma_arena_deinit(&lds->names);
	free(lds->answers);
	free(lds->rules);
	free(lds);
}

static void kma_lds_skip_space(struct kma_lds_parser *p)
{
	while (p->at < p->end) {
		const char *close;

		if (isspace((unsigned char)*p->at)) {
			p->at++;
		} else if (p->end - p->at >= 2 && !memcmp(p->at, "/*", 2)) {
			close = memmem(p->at + 2, p->end - p->at - 2, "*/", 2);
			p->at = close ? close + 2 : p->end;
		} else {
			return;
		}
	}
}

/* Reads the next word: one of (){};,:= alone, a text in quotes, or the text between these. */
static bool kma_lds_next(struct kma_lds_parser *p)
{
	static const char alone[] = "(){};,:=";
	const char *begin;
	size_t len;

	kma_lds_skip_space(p);
	begin = p->at;
	if (p->at < p->end && *p->at == '"') {
		do
			p->at++;
		while (p->at < p->end && *p->at != '"');
		p->at += p->at < p->end;
	} else if (p->at < p->end && *p->at && strchr(alone, *p->at)) {
		p->at++;
	} else {
		while (p->at < p->end && *p->at && !isspace((unsigned char)*p->at) &&
		       *p->at != '"' && !strchr(alone, *p->at))
			p->at++;
		p->at += p->at == begin && p->at < p->end; /* a zero byte */
	}
	len = p->at - begin;
	if (len >= sizeof(p->word))
		len = sizeof(p->word) - 1;
	memcpy(p->word, begin, len);
	p->word[len] = '\0';
	return p->at > begin;
}

static bool kma_lds_is(const struct kma_lds_parser *p, const char *word)
{
	return !strcmp(p->word, word);
}

/* Skips the next character if it is @c. */
static bool kma_lds_accept(struct kma_lds_parser *p, char c)
{
	kma_lds_skip_space(p);
	if (p->at == p->end || *p->at != c)
		return false;
	p->at++;
	return true;
}

/* After an opening bracket: skips to the end of the matching closing bracket. */
static void kma_lds_skip_brackets(struct kma_lds_parser *p)
{
	for (size_t depth = 1; depth && kma_lds_next(p);) {
		depth += kma_lds_is(p, "(") || kma_lds_is(p, "{");
		depth -= kma_lds_is(p, ")") || kma_lds_is(p, "}");
	}
}

static void kma_lds_add(struct kma_lds_parser *p, const char *file)
{
	struct kma_lds *lds = p->lds;

	kma_array_room(lds->rules, lds->nr, lds->alloc);
	lds->rules[lds->nr++] = (struct kma_lds_rule){
		.output = p->output,
		.file = file,
		.section = kma_arena_text(&lds->names, p->word, strlen(p->word)),
		.rank = p->rank,
	};
}

static bool kma_lds_is_sort(const char *word)
{
	return !strncmp(word, "SORT", 4) &&
	       (!word[4] || word[4] == '_' || isupper((unsigned char)word[4]));
}

/* After FILE(: reads the patterns of sections up to the matching closing bracket. */
static void kma_lds_patterns(struct kma_lds_parser *p, const char *file)
{
	size_t depth = 1;

	p->rank = (p->rank & ~KMA_LDS_SORTED) + 1;
	while (depth && kma_lds_next(p)) {
		if (kma_lds_is(p, ")")) {
			depth--;
		} else if (kma_lds_is(p, "(")) {
			depth++;
		} else if (kma_lds_is(p, "EXCLUDE_FILE")) {
			if (kma_lds_accept(p, '('))
				kma_lds_skip_brackets(p);
		} else if (kma_lds_is_sort(p->word)) {
			p->rank |= KMA_LDS_SORTED;
		} else if (!kma_lds_is(p, ",")) {
			kma_lds_add(p, file);
		}
	}
}

/* Pattern of files at the current word; in SORT(*)(.section) it is in the first brackets. */
static const char *kma_lds_file(struct kma_lds_parser *p)
{
	if (kma_lds_is_sort(p->word) && kma_lds_accept(p, '(')) {
		kma_lds_next(p);
		kma_lds_accept(p, ')');
	}
	return kma_arena_text(&p->lds->names, p->word, strlen(p->word));
}

/* Reads the body of an output section, after its bracket; KEEP() contains the same statements. */
static void kma_lds_body(struct kma_lds_parser *p, size_t depth)
{
	static const char *const data[] = {
		"BYTE",	  "SHORT",   "LONG",	       "QUAD",	 "SQUAD", "FILL",
		"ASSERT", "PROVIDE", "PROVIDE_HIDDEN", "HIDDEN", "ASCIZ", "LINKER_VERSION"
	};

	while (kma_lds_next(p) && !kma_lds_is(p, "}") && !kma_lds_is(p, ")")) {
		const char *file;
		bool skip = false;

		for (size_t i = 0; i < ARRAY_SIZE(data); i++)
			skip |= kma_lds_is(p, data[i]);
		if (kma_lds_is(p, "KEEP") && depth < 4) {
			if (kma_lds_accept(p, '('))
				kma_lds_body(p, depth + 1);
			continue;
		}
		if (kma_lds_is(p, "=")) {
			while (kma_lds_next(p) && !kma_lds_is(p, ";"))
				;
			continue;
		}
		if (strchr("(),:;{", p->word[0]) && !p->word[1]) {
			if (kma_lds_is(p, "(") || kma_lds_is(p, "{"))
				kma_lds_skip_brackets(p);
			continue;
		}
		file = skip ? NULL : kma_lds_file(p);
		if (!kma_lds_accept(p, '('))
			continue;
		if (skip)
			kma_lds_skip_brackets(p);
		else
			kma_lds_patterns(p, file);
	}
}

/* Skips the optional parts after a body: :segment, =fill, >region, AT>region. */
static void kma_lds_after_body(struct kma_lds_parser *p)
{
	for (;;) {
		kma_lds_skip_space(p);
		if (p->end - p->at > 3 && !memcmp(p->at, "AT>", 3))
			p->at += 3;
		else if (p->at < p->end && strchr(":=>", *p->at) && *p->at)
			p->at++;
		else
			return;
		kma_lds_next(p);
	}
}

/* Reads SECTIONS {}: the first word of a statement with a body is the name of the section. */
static void kma_lds_sections(struct kma_lds_parser *p)
{
	const char *first = NULL;

	while (kma_lds_next(p) && !kma_lds_is(p, "}")) {
		if (kma_lds_is(p, ";")) {
			first = NULL;
		} else if (kma_lds_is(p, "(")) {
			kma_lds_skip_brackets(p);
		} else if (kma_lds_is(p, "{")) {
			p->output = first ?: "";
			kma_lds_body(p, 0);
			kma_lds_after_body(p);
			first = NULL;
		} else if (kma_lds_is(p, "ASSERT") && kma_lds_accept(p, '(')) {
			kma_lds_skip_brackets(p); /* a semicolon after it is optional */
		} else if (!first) {
			first = kma_arena_text(&p->lds->names, p->word, strlen(p->word));
		}
	}
}

struct kma_lds *kma_lds_parse(const char *text, size_t len)
{
	struct kma_lds_parser p = { .at = text, .end = text + len };

	p.lds = kma_xcalloc(1, sizeof(*p.lds));
	kma_arena_init(&p.lds->names);
	while (kma_lds_next(&p)) {
		if (kma_lds_is(&p, "SECTIONS") && kma_lds_accept(&p, '{'))
			kma_lds_sections(&p);
		else if (kma_lds_is(&p, "{") || kma_lds_is(&p, "("))
			kma_lds_skip_brackets(&p);
	}
	return p.lds;
}

/* Index of a section among the answers, or the index at which it would be inserted. */
static size_t kma_lds_find(const struct kma_lds *lds, const char *section, bool *found)
{
	size_t at =
		kma_array_search(lds->nr_answers, i, strcmp(lds->answers[i].section, section) < 0);

	*found = at < lds->nr_answers && !strcmp(lds->answers[at].section, section);
	return at;
}

static void kma_lds_remember(struct kma_lds *lds, size_t at, const char *section,
			     const char *output, uint32_t rank)
{
	struct kma_lds_answer *answers;

	section = kma_arena_text(&lds->names, section, strlen(section));
	kma_array_room(lds->answers, lds->nr_answers, lds->alloc_answers);
	answers = lds->answers;
	memmove(&answers[at + 1], &answers[at], (lds->nr_answers - at) * sizeof(*answers));
	answers[at] = (struct kma_lds_answer){ section, output, rank };
	lds->nr_answers++;
}

const char *kma_lds_output(struct kma_lds *lds, const char *object, const char *section,
			   uint32_t *rank)
{
	const char *output = NULL;
	bool found, same = true;
	size_t at = kma_lds_find(lds, section, &found);

	*rank = found ? lds->answers[at].rank : 0;
	if (found)
		return lds->answers[at].output;
	for (size_t i = 0; i < lds->nr && !output; i++) {
		const struct kma_lds_rule *rule = &lds->rules[i];

		if (fnmatch(rule->section, section, 0))
			continue;
		if (strcmp(rule->file, "*"))
			same = false; /* another object may have another answer */
		if (same || !fnmatch(rule->file, object, 0)) {
			output = rule->output;
			*rank = rule->rank;
		}
	}
	if (same)
		kma_lds_remember(lds, at, section, output, *rank);
	return output;
}

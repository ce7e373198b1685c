// SPDX-License-Identifier: GPL-2.0-only
/*
 * maintainers.c - the subsystem of a file, by the kernel's MAINTAINERS.
 *
 * The file is one text; entries and patterns point into it. The patterns of an entry are
 * neighbours in one array, in the order of the file. A lookup tries all patterns, several thousand.
 *
 * get_maintainer.pl makes regular expressions of the patterns, anchored at the start only. This
 * code does so, too, but first compares the letters before the first wildcard, so that only a few
 * expressions are run for a file. An expression is compiled when it is first needed. A wildcard
 * matches slashes, too. "fs/f*" still does not match files in directories below, because a pattern
 * without a final slash has to have as many slashes as the file.
 *
 * The file may come from anyone, so the expressions are bounded: see pattern_is_sane(). A
 * pattern beyond the bounds, or one that is not a regular expression, matches nothing.
 */
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/strbuf.h"
#include "maintainers.h"

/* Longest text, in bytes, of a pattern that is compiled. */
#define KMA_PATTERN_LONG 256

/* Whether the regular expression of a pattern is not compiled yet, is usable, or is invalid. */
enum kma_pattern_state { KMA_PATTERN_NEW, KMA_PATTERN_READY, KMA_PATTERN_BAD };

struct kma_pattern {
	const char *text;	      /* as in the file */
	char type;		      /* 'F', 'X' or 'N' */
	size_t entry;		      /* index of its entry */
	size_t prefix;		      /* bytes before the first wildcard; 0 for 'N' */
	size_t literals;	      /* bytes that are not wildcards */
	unsigned int slashes;	      /* in the text */
	enum kma_pattern_state state; /* of regex */
	regex_t regex;		      /* only with KMA_PATTERN_READY */
};

/* A subsystem. */
struct kma_maintainers_entry {
	const char *title;
	size_t first;  /* index of its first pattern */
	size_t nr;     /* number of its patterns */
	bool excludes; /* one of its patterns is an X: */
};

struct kma_maintainers {
	char *text; /* the file, with a zero byte after each line */
	struct kma_maintainers_entry *entries;
	size_t nr_entries, alloc_entries;
	struct kma_pattern *patterns;
	size_t nr_patterns, alloc_patterns;
};

void kma_maintainers_destroy(struct kma_maintainers *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->nr_patterns; i++)
		if (list->patterns[i].state == KMA_PATTERN_READY)
			regfree(&list->patterns[i].regex);
	free(list->patterns);
	free(list->entries);
	free(list->text);
	free(list);
}

static unsigned int count_slashes(const char *text)
{
	unsigned int nr = 0;

	for (; *text; text++)
		nr += *text == '/';
	return nr;
}

static void maintainers_pattern(struct kma_maintainers *list, char type, const char *text)
{
	struct kma_pattern pattern = { .text = text, .type = type, .entry = list->nr_entries - 1 };

	/* Matches every file, so it is not used as an owner. */
	if (type == 'F' && (!strcmp(text, "*") || !strcmp(text, "*/")))
		return;
	kma_array_room(list->patterns, list->nr_patterns, list->alloc_patterns);
	pattern.prefix = type == 'N' ? 0 : strcspn(text, "*?[](){}+|^$\\");
	for (const char *p = text; *p; p++)
		pattern.literals += !strchr("*?", *p);
	pattern.slashes = count_slashes(text);
	list->patterns[list->nr_patterns++] = pattern;
	list->entries[pattern.entry].nr++;
	list->entries[pattern.entry].excludes |= type == 'X';
}

static void maintainers_entry(struct kma_maintainers *list, const char *title)
{
	kma_array_room(list->entries, list->nr_entries, list->alloc_entries);
	list->entries[list->nr_entries++] =
		(struct kma_maintainers_entry){ .title = title, .first = list->nr_patterns };
}

/*
 * Reads the entries. An entry is a group of lines "X: VALUE" with a capital letter; the line before
 * the first of them is its heading. Other text and comments are skipped.
 */
static void maintainers_parse(struct kma_maintainers *list)
{
	const char *title = NULL;
	char *save = NULL, *line;
	bool open = false;

	for (line = strtok_r(list->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *end = line + strlen(line);
		char *value = line + 2;

		while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
			*--end = '\0';
		if (*line == '#' || !*line)
			continue;
		if (*line < 'A' || *line > 'Z' || line[1] != ':') {
			title = line;
			open = false;
			continue;
		}
		if (!open && title)
			maintainers_entry(list, title);
		open = title;
		value += strspn(value, " \t");
		if (open && strchr("FXN", *line) && *value)
			maintainers_pattern(list, *line, value);
	}
}

struct kma_err *kma_maintainers_create(const char *path, struct kma_maintainers **ret)
{
	struct kma_maintainers *list;
	struct kma_err *err;
	char *text;
	size_t len;

	err = kma_file_slurp_regular(path, &text, &len);
	if (err)
		return err;
	list = kma_xcalloc(1, sizeof(*list));
	list->text = text;
	maintainers_parse(list);
	if (!list->nr_patterns) {
		kma_maintainers_destroy(list);
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, path, 0,
					   "not a MAINTAINERS file: no entry has an F: line");
	}
	*ret = list;
	return NULL;
}

/*
 * Bounds the cost of regcomp(): it is recursive for brackets, and nested repetitions such as
 * "((a{9999}){9999})" multiply its memory. No pattern of the kernel's has 100 letters.
 */
static bool pattern_is_sane(const char *text)
{
	size_t repetitions = 0;

	for (const char *p = text; *p; p++)
		repetitions += *p == '{';
	return strlen(text) <= KMA_PATTERN_LONG && repetitions <= 1;
}

/* Compiles a pattern as get_maintainer.pl does: in F: and X:, "." is literal, "*" and "?" wild. */
static void pattern_compile(struct kma_pattern *pattern)
{
	_cleanup_strbuf_ struct kma_strbuf regex = { 0 };

	pattern->state = KMA_PATTERN_BAD;
	if (!pattern_is_sane(pattern->text))
		return;
	if (pattern->type != 'N')
		kma_strbuf_puts(&regex, "^");
	for (const char *p = pattern->text; *p; p++) {
		if (pattern->type != 'N' && *p == '.')
			kma_strbuf_puts(&regex, "\\.");
		else if (pattern->type != 'N' && *p == '*')
			kma_strbuf_puts(&regex, ".*");
		else if (pattern->type != 'N' && *p == '?')
			kma_strbuf_puts(&regex, ".");
		else
			kma_strbuf_add(&regex, p, 1);
	}
	/* A text that is not a valid regular expression stays KMA_PATTERN_BAD. */
	if (regex.len && !regcomp(&pattern->regex, regex.str, REG_EXTENDED | REG_NOSUB))
		pattern->state = KMA_PATTERN_READY;
}

static bool pattern_regex(struct kma_pattern *pattern, const char *path)
{
	if (pattern->state == KMA_PATTERN_NEW)
		pattern_compile(pattern);
	return pattern->state == KMA_PATTERN_READY && !regexec(&pattern->regex, path, 0, NULL, 0);
}

/*
 * Does a pattern match a file? Sets its depth as get_maintainer.pl computes it: 0 for N:, the
 * number of slashes for a directory, one more for a file, and -1 if the pattern starts with "*".
 */
static bool pattern_match(struct kma_pattern *pattern, const char *path, unsigned int path_slashes,
			  int *depth)
{
	size_t len = pattern->prefix;
	char last;

	if (strncmp(path, pattern->text, len))
		return false;
	*depth = 0;
	if (pattern->type == 'N')
		return pattern_regex(pattern, path);
	*depth = pattern->slashes;
	last = pattern->text[len] ? pattern->text[strlen(pattern->text) - 1] :
	       len		  ? pattern->text[len - 1] :
				    '\0';
	if (!pattern->text[len]) {
		/* A directory may be written without its slash. */
		if (last != '/' && path[len] == '/' && !strchr(pattern->text, '.')) {
			*depth += 1;
			return true;
		}
	} else if (!pattern_regex(pattern, path)) {
		return false;
	}
	if (last != '/' && pattern->slashes != path_slashes)
		return false;
	*depth += last != '/';
	if (*pattern->text == '*')
		*depth = -1;
	return true;
}

/* Does an X: pattern exclude a file from an entry? */
static bool entry_excludes(struct kma_maintainers *list, const struct kma_maintainers_entry *entry,
			   const char *path, unsigned int slashes)
{
	int depth;

	for (size_t i = entry->first; entry->excludes && i < entry->first + entry->nr; i++)
		if (list->patterns[i].type == 'X' &&
		    pattern_match(&list->patterns[i], path, slashes, &depth))
			return true;
	return false;
}

const char *kma_maintainers_owner(struct kma_maintainers *list, const char *path)
{
	const struct kma_pattern *best = NULL;
	unsigned int slashes = count_slashes(path);
	int best_depth = 0, depth;

	for (size_t i = 0; i < list->nr_patterns; i++) {
		struct kma_pattern *pattern = &list->patterns[i];

		if (pattern->type == 'X' || !pattern_match(pattern, path, slashes, &depth))
			continue;
		if (best && (depth < best_depth ||
			     (depth == best_depth && pattern->literals <= best->literals)))
			continue;
		if (entry_excludes(list, &list->entries[pattern->entry], path, slashes))
			continue;
		best = pattern;
		best_depth = depth;
	}
	return best ? list->entries[best->entry].title : NULL;
}

void kma_maintainers_apply(struct kma_maintainers *list, struct kma_node *root)
{
	_cleanup_free_ char *path = NULL;

	if (root->kind == KMA_NODE_FILE) {
		path = kma_node_path(root);
		root->owner = kma_maintainers_owner(list, path);
		return;
	}
	for (size_t i = 0; i < root->nr_children; i++)
		if (!kma_node_is_leaf(root->children[i]))
			kma_maintainers_apply(list, root->children[i]);
}

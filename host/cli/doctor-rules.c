// SPDX-License-Identifier: GPL-2.0-only
/*
 * doctor-rules.c - read rules, and find the one for a call site.
 */
#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor-rules.h"
#include "input/cursor.h"
#include "lib/array.h"
#include "lib/cleanup.h"

/* Keys of a rule, in the order of struct kma_doctor_rule. */
static const char *const rule_keys[] = { "rule",  "site", "module", "cache",  "from",
					 "fixed", "fix",  "title",  "advice", "source" };

static const char **rule_member(struct kma_doctor_rule *rule, size_t key)
{
	static const size_t offsets[ARRAY_SIZE(rule_keys)] = {
		offsetof(struct kma_doctor_rule, name),	  offsetof(struct kma_doctor_rule, site),
		offsetof(struct kma_doctor_rule, module), offsetof(struct kma_doctor_rule, cache),
		offsetof(struct kma_doctor_rule, from),	  offsetof(struct kma_doctor_rule, fixed),
		offsetof(struct kma_doctor_rule, fix),	  offsetof(struct kma_doctor_rule, title),
		offsetof(struct kma_doctor_rule, advice), offsetof(struct kma_doctor_rule, source),
	};

	return (const char **)((char *)rule + offsets[key]);
}

struct version {
	unsigned int major, minor, patch;
};

/* Reads "6.1" or "6.1.39-3". */
static bool read_version(const char *text, struct version *ret)
{
	*ret = (struct version){ 0 };
	return sscanf(text, "%u.%u.%u", &ret->major, &ret->minor, &ret->patch) >= 2;
}

static int compare(const struct version *a, const struct version *b)
{
	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return a->patch < b->patch ? -1 : a->patch > b->patch;
}

/*
 * Has a kernel what is in each version of a list, of which the last is that of the mainline, and the
 * others are of stable series? False if a version is invalid.
 */
static bool has(const char *list, const struct version *kernel, bool *ret)
{
	struct version one;

	for (const char *p = list; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		if (!read_version(p, &one))
			return false;
		*ret = compare(kernel, &one) >= 0;
		if (one.major == kernel->major && one.minor == kernel->minor)
			break;
	}
	return true;
}

static struct kma_err *read_line(struct kma_cursor *cur, struct kma_doctor_rules *rules)
{
	size_t len = strcspn(cur->text, ":"), key = 0;
	const char *value = cur->text + len;
	const struct version none = { 0 };
	const char **member;
	bool ignored;

	value += *value == ':';
	value += strspn(value, " ");
	while (key < ARRAY_SIZE(rule_keys) &&
	       (strlen(rule_keys[key]) != len || strncmp(rule_keys[key], cur->text, len)))
		key++;
	if (key == ARRAY_SIZE(rule_keys) || !*value)
		return kma_cursor_error(cur, "expected 'KEY: VALUE' of a rule, found '%.40s'",
					cur->text);
	if (!key) {
		kma_array_room(rules->list, rules->nr, rules->room);
		rules->list[rules->nr++] = (struct kma_doctor_rule){ 0 };
	}
	if (!rules->nr)
		return kma_cursor_error(cur, "'%.20s' before the first 'rule'", rule_keys[key]);
	member = rule_member(&rules->list[rules->nr - 1], key);
	if (*member)
		return kma_cursor_error(cur, "a second '%.20s' in one rule", rule_keys[key]);
	*member = kma_arena_text(&rules->texts, value, strlen(value));
	if ((!strcmp(rule_keys[key], "from") || !strcmp(rule_keys[key], "fixed")) &&
	    !has(*member, &none, &ignored))
		return kma_cursor_error(cur, "invalid version in '%.20s' (expected MAJOR.MINOR)",
					*member);
	return NULL;
}

struct kma_err *kma_doctor_rules_read(const char *path, struct kma_doctor_rules *ret)
{
	struct kma_cursor cur;
	struct kma_input *input;
	struct kma_err *err;
	bool more = true;

	kma_arena_init(&ret->texts);
	err = kma_input_open(path, &input);
	if (err)
		return err;
	kma_cursor_init(&cur, input);
	while (!err) {
		err = kma_cursor_next(&cur, &more);
		if (err || !more)
			break;
		if (cur.cut)
			err = kma_cursor_error(&cur, "truncated in a line");
		else if (*cur.text && *cur.text != '#')
			err = read_line(&cur, ret);
	}
	for (size_t i = 0; i < ret->nr && !err; i++)
		if (!ret->list[i].site && !ret->list[i].cache)
			err = kma_err_create(path, 0, "rule '%s' has no site and no cache",
					     ret->list[i].name);
	kma_cursor_deinit(&cur);
	kma_input_close(input);
	return err;
}

void kma_doctor_rules_deinit(struct kma_doctor_rules *rules)
{
	free(rules->list);
	kma_arena_deinit(&rules->texts);
}

/* Is the kernel in the range of a rule? A version that is not known is in no range. */
static bool in_range(const struct kma_doctor_rule *rule, const char *version)
{
	bool since = true, fixed = false;
	struct version kernel;

	if (!rule->from && !rule->fixed)
		return true;
	if (!version || !read_version(version, &kernel))
		return false;
	if (rule->from)
		has(rule->from, &kernel, &since);
	if (rule->fixed)
		has(rule->fixed, &kernel, &fixed);
	return since && !fixed;
}

static bool is_like(const char *pattern, const char *text)
{
	return !pattern || (text && !fnmatch(pattern, text, 0));
}

const struct kma_doctor_rule *kma_doctor_rules_find(const struct kma_doctor_rules *rules,
						    const char *function, const char *module,
						    const char *cache, const char *version)
{
	for (size_t i = 0; i < rules->nr; i++) {
		const struct kma_doctor_rule *rule = &rules->list[i];
		bool fits = function && rule->site ?
				    is_like(rule->site, function) &&
					    is_like(rule->module, module) &&
					    (!cache || is_like(rule->cache, cache)) :
				    rule->cache && is_like(rule->cache, cache);

		if (fits && in_range(rule, version))
			return rule;
	}
	return NULL;
}

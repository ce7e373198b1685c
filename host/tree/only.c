// SPDX-License-Identifier: GPL-2.0-only
/*
 * only.c - rules that select call sites.
 */
#include <fnmatch.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/option.h"
#include "model/container.h"
#include "only.h"

#define BETWEEN_TYPES " or " /* of which either may be right */

/*
 * Copies the patterns of a list for fnmatch(3), without the quotes. Names have brackets and backslashes,
 * so these stand for themselves. A path has no slash at the end.
 */
static const char *read_patterns(const char *text, bool path, char *to)
{
	const char *start = to;
	bool quoted = false;

	if (strlen(text) > KMA_ONLY_TEXT / 2 - 2)
		return "the patterns are longer than 254 bytes";
	for (; *text; text++) {
		bool first = to == start || !to[-1];
		bool last = !text[1] || (text[1] == ',' && !quoted);

		if (*text == '"')
			quoted = !quoted;
		else if (*text == ',' && !quoted && first)
			return "a pattern is empty";
		else if (*text == ',' && !quoted)
			*to++ = '\0';
		else if (*text == '/' && path && last && !first && to[-1] != '*')
			continue;
		else if (strchr("[\\", *text))
			to = stpncpy(stpcpy(to, "\\"), text, 1);
		else
			*to++ = *text;
	}
	if (quoted)
		return "a quote is not closed";
	if (to == start || !to[-1])
		return "a pattern is empty";
	return NULL;
}

/* Reads KEY=PATTERN. @len: length of KEY. */
static const char *read_key(struct kma_only_rule *rule, size_t len)
{
	for (rule->key = 0; rule->key < KMA_NR_KEYS; rule->key++)
		if (kma_key_is(rule->key, rule->text, len))
			break;
	if (rule->key == KMA_KEY_STACK || rule->key == KMA_KEY_CALLERS)
		return "stacks are selected by --through FUNCTION";
	if (rule->key == KMA_NR_KEYS)
		return "";
	return read_patterns(rule->text + len + 1,
			     rule->key == KMA_KEY_DIR || rule->key == KMA_KEY_CGROUP,
			     rule->patterns);
}

const char *kma_only_add(struct kma_only *only, const char *text, bool negated)
{
	_cleanup_free_ char *name = NULL;
	struct kma_only_rule *rule = &only->rules[only->nr];
	const char *why = NULL;
	size_t len = strcspn(text, "=<>");

	if (only->nr == KMA_ONLY_MAX)
		return "there are more than 16 rules";
	*rule = (struct kma_only_rule){ .text = text, .negated = negated, .op = text[len] };
	name = kma_xstrndup(text, len);
	if (!rule->op)
		return "";
	if (rule->op == '=')
		why = read_key(rule, len);
	else if (!kma_metric_find(name, &rule->metric))
		return "";
	else if (!kma_option_size(text + len + 1, &rule->number))
		return "a number has digits and K, M or G, as 4096, 64K or 1MiB";
	if (!why)
		only->nr++;
	return why;
}

unsigned int kma_only_keys(const struct kma_only *only)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < only->nr; i++)
		if (only->rules[i].op == '=')
			set |= 1U << only->rules[i].key;
	return set;
}

unsigned int kma_only_metrics(const struct kma_only *only)
{
	unsigned int set = 0;

	for (unsigned int i = 0; i < only->nr; i++)
		if (only->rules[i].op != '=')
			set |= 1U << only->rules[i].metric;
	return set;
}

static bool matches(const struct kma_only_rule *rule, const char *text)
{
	int flags = rule->key == KMA_KEY_DIR || rule->key == KMA_KEY_CGROUP ? FNM_LEADING_DIR :
		    rule->key == KMA_KEY_SUBSYSTEM			    ? FNM_CASEFOLD :
									      0;

	for (const char *pattern = rule->patterns; *pattern; pattern += strlen(pattern) + 1)
		if (!fnmatch(pattern, text, flags))
			return true;
	return false;
}

/* The first @len bytes of a text. */
static bool matches_start(const struct kma_only_rule *rule, const char *text, size_t len)
{
	_cleanup_free_ char *start = kma_xstrndup(text, len);

	return matches(rule, start);
}

/* "sock+", "pipe_buffer[]", "thing or other": each type, also without its mark. */
static bool matches_type(const struct kma_only_rule *rule, const char *text)
{
	size_t len;

	for (const char *next = text; next; text = next + strlen(BETWEEN_TYPES)) {
		next = strstr(text, BETWEEN_TYPES);
		len = next ? (size_t)(next - text) : strlen(text);
		if (matches_start(rule, text, len) ||
		    matches_start(rule, text, strcspn(text, "+[")))
			return true;
	}
	return false;
}

static bool fits(const struct kma_only_rule *rule, const struct kma_item *item,
		 const struct kma_key_ask *ask)
{
	const char *text;

	if (rule->op != '=') {
		uint64_t number = kma_metrics[rule->metric].get(&item->site->values);

		return rule->op == '>' ? number > rule->number : number < rule->number;
	}
	if (rule->key == KMA_KEY_FUNCTION && item->function &&
	    matches_start(rule, item->function, item->function_len))
		return true;
	text = kma_keys[rule->key].text(item, ask);
	if (matches(rule, text))
		return true;
	if (rule->key == KMA_KEY_CALLER && strchr(text, '+')) {
		const char *module = strstr(text, " [") ?: "";
		_cleanup_free_ char *whole =
			kma_xasprintf("%.*s%s", (int)strcspn(text, "+"), text, module);

		return matches(rule, whole) || matches_start(rule, text, strcspn(text, "+"));
	}
	if (rule->key == KMA_KEY_CACHE && kma_site_cache(item->site)) {
		text = kma_site_cache(item->site);
		return matches(rule, text) || matches_start(rule, text, kma_site_cache_len(text));
	}
	if (rule->key == KMA_KEY_TYPE && item->type)
		return matches_type(rule, text);
	/* "node 0" */
	if (rule->key == KMA_KEY_NODE && !strncmp(text, "node ", 5))
		return matches(rule, text + 5);
	if (rule->key == KMA_KEY_CGROUP) {
		_cleanup_strbuf_ struct kma_strbuf label = { 0 };

		return kma_container_label(text, &label) && matches(rule, label.str);
	}
	return false;
}

bool kma_only_passes(const struct kma_only *only, const struct kma_item *item,
		     struct kma_arena *arena)
{
	for (unsigned int i = 0; i < only->nr; i++) {
		const struct kma_only_rule *rule = &only->rules[i];
		const struct kma_key_ask ask = { .keys = &KMA_BY(rule->key), .arena = arena };

		if (fits(rule, item, &ask) == rule->negated)
			return false;
	}
	return true;
}

bool *kma_only_sites(const struct kma_only *only, const struct kma_account *account,
		     struct kma_maintainers *maintainers)
{
	struct kma_arena arena = { 0 };
	const struct kma_site *sites;
	bool *keep;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	keep = kma_xcalloc(nr + 1, sizeof(*keep));
	for (size_t i = 0; i < nr; i++) {
		struct kma_item item;

		kma_item_of_site(&sites[i], maintainers, &arena, &item);
		keep[i] = kma_only_passes(only, &item, &arena);
	}
	kma_arena_deinit(&arena);
	return keep;
}

void kma_only_text(const struct kma_only *only, struct kma_strbuf *out)
{
	for (unsigned int i = 0; i < only->nr; i++)
		kma_strbuf_printf(out, "%s%s%s", i ? ", " : "",
				  only->rules[i].negated ? "not " : "", only->rules[i].text);
}

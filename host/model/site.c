// SPDX-License-Identifier: GPL-2.0-only
/*
 * site.c - parse the text of a call site. A module in brackets, " [ext4]", is cut off first, unless
 * the text starts with a bracket. Then the first row that fits decides:
 *
 *	0xHEX; 8 or 16 hexadecimal digits	an address
 *	TEXT+0xHEX; TEXT+0xHEX/0xHEX		a symbol TEXT, which may contain any characters
 *	any other text				a named row, without a module
 *
 * The text is untrusted. A text with a number of more than 64 bits is a named row. Parsing cuts the
 * text in place and allocates nothing.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "site.h"

const char *const kma_grouped_names[KMA_NR_GROUPED] = {
	[KMA_GROUPED_NOT] = "caller", [KMA_GROUPED_CGROUP] = "cgroup", [KMA_GROUPED_NODE] = "node",
	[KMA_GROUPED_TASK] = "task",  [KMA_GROUPED_ROOT] = "root",
};

const char *const kma_kind_names[KMA_NR_KINDS] = {
	[KMA_KIND_UNKNOWN] = "-", [KMA_KIND_KMALLOC] = "kmalloc", [KMA_KIND_CACHE] = "cache",
	[KMA_KIND_PAGE] = "page", [KMA_KIND_PERCPU] = "percpu",
};

const char *const kma_kind_remarks[KMA_NR_KINDS] = {
	[KMA_KIND_UNKNOWN] = "",	 [KMA_KIND_KMALLOC] = " (kmalloc)",
	[KMA_KIND_CACHE] = " (cache)",	 [KMA_KIND_PAGE] = " (page)",
	[KMA_KIND_PERCPU] = " (percpu)",
};

static bool parse_hex(const char **p, uint64_t *ret)
{
	const char *s = *p;
	uint64_t value = 0;

	if (s[0] != '0' || s[1] != 'x' || !isxdigit((unsigned char)s[2]))
		return false;
	for (s += 2; isxdigit((unsigned char)*s); s++) {
		if (value >> 60)
			return false;
		value = value << 4 | (*s <= '9' ? *s - '0' : (*s | 0x20) - 'a' + 10);
	}
	*p = s;
	*ret = value;
	return true;
}

char *kma_site_cut_module(char *caller)
{
	char *bracket = strchr(caller, ' ');
	size_t len;

	while (bracket && bracket[1] != '[')
		bracket = strchr(bracket + 1, ' ');
	if (!bracket || bracket == caller || caller[0] == '[')
		return NULL;
	len = strlen(bracket);
	if (len < 4 || bracket[len - 1] != ']')
		return NULL;
	*bracket = '\0';
	bracket[len - 1] = '\0';
	/* %pSb prints a build ID after the module's name: cut it off. */
	bracket[2 + strcspn(bracket + 2, " ")] = '\0';
	return bracket + 2;
}

/* An address as kernels before 5.4 write it, c104dd2f: all digits of a word, and nothing else. */
static bool parse_bare_hex(const char *p, uint64_t *ret)
{
	size_t len = strspn(p, "0123456789abcdef");

	if ((len != 8 && len != 16) || p[len])
		return false;
	*ret = strtoull(p, NULL, 16);
	return true;
}

void kma_site_parse(char *caller, struct kma_site *ret)
{
	uint64_t size = 0, offset;
	const char *p = caller;
	char *plus;

	ret->symbol = NULL;
	ret->offset = ret->size = 0;
	ret->named = false;
	ret->module = kma_site_cut_module(caller);
	if ((parse_hex(&p, &offset) && !*p) || parse_bare_hex(caller, &offset)) {
		ret->offset = offset;
		return;
	}
	plus = strrchr(caller, '+');
	if (plus) {
		p = plus + 1;
		if (parse_hex(&p, &offset) && plus != caller &&
		    (!*p || (*p == '/' && (p++, parse_hex(&p, &size)) && !*p))) {
			*plus = '\0';
			ret->symbol = caller;
			ret->offset = offset;
			ret->size = size;
			return;
		}
	}
	ret->named = true;
	ret->module = NULL;
}

/* The length of a name of @len bytes without the mark at its end. */
static size_t unmarked(const char *cache, size_t len)
{
	size_t mark = strlen(KMA_SITE_MERGED);

	return len > mark && !memcmp(cache + len - mark, KMA_SITE_MERGED, mark) ? len - mark : len;
}

size_t kma_site_cache_len(const char *cache)
{
	return unmarked(cache, strlen(cache));
}

const char *kma_site_before(const char *caller, size_t *len)
{
	size_t skip = strlen(KMA_SITE_BEFORE_OF);

	if (strncmp(caller, KMA_SITE_BEFORE_OF, skip) != 0)
		return NULL;
	*len = unmarked(caller + skip, strcspn(caller + skip, "]"));
	return caller + skip;
}

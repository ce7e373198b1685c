// SPDX-License-Identifier: GPL-2.0-only
/*
 * intern.c - a table that gives call sites numbers.
 *
 * There are three parts:
 *
 *	map	finds the number of a text and a kind
 *	pages	arrays of 4,096 sites (text, length, kind) by number. A page never moves or grows,
 *		so that another thread can read a site without a lock while the table grows
 *	texts	an arena, in which no text moves either
 */
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/cleanup.h"
#include "lib/map.h"

#define KMA_SITES_PAGE	4096
#define KMA_SITES_PAGES (KMA_INTERN_MAX_SITES / KMA_SITES_PAGE)
#define KMA_GROUPED_MAX (2 * KMA_INTERN_MAX_TEXT + 1) /* a caller, a line end, and a group */

struct kma_known_site {
	const char *text;
	uint32_t len;
	uint8_t kind;
};

/* KMA_INTERN_REST, which is 0, is not in the map; number N is number N - 1 there. */
struct kma_intern {
	struct kma_map map;
	struct kma_known_site *pages[KMA_SITES_PAGES];
	struct kma_arena texts;
};

static struct kma_known_site *known_site(const struct kma_intern *intern, uint32_t number)
{
	return &intern->pages[number / KMA_SITES_PAGE][number % KMA_SITES_PAGE];
}

static void intern_put(struct kma_intern *intern, uint32_t number, enum kma_kind kind,
		       const char *text, size_t len)
{
	struct kma_known_site **page = &intern->pages[number / KMA_SITES_PAGE];

	if (!*page)
		*page = kma_xcalloc(KMA_SITES_PAGE, sizeof(**page));
	*known_site(intern, number) = (struct kma_known_site){
		.text = kma_arena_text(&intern->texts, text, len),
		.len = len,
		.kind = kind,
	};
}

struct kma_intern *kma_intern_new(void)
{
	struct kma_intern *intern = kma_xcalloc(1, sizeof(*intern));

	kma_arena_init(&intern->texts);
	intern_put(intern, KMA_INTERN_REST, KMA_KIND_UNKNOWN, KMA_INTERN_REST_NAME,
		   strlen(KMA_INTERN_REST_NAME));
	return intern;
}

void kma_intern_destroy(struct kma_intern *intern)
{
	if (!intern)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(intern->pages); i++)
		free(intern->pages[i]);
	kma_arena_deinit(&intern->texts);
	kma_map_free(&intern->map);
	free(intern);
}

static bool known_is(const struct kma_known_site *site, enum kma_kind kind, const char *text,
		     size_t len)
{
	return site->len == len && site->kind == kind && !memcmp(site->text, text, len);
}

static uint32_t intern_text(struct kma_intern *intern, enum kma_kind kind, const char *text,
			    size_t len)
{
	uint32_t hash = kma_map_text(text, len) + kind;
	uint32_t found = kma_map_find(&intern->map, hash, i,
				      known_is(known_site(intern, i + 1), kind, text, len));

	if (found != KMA_MAP_NONE)
		return found + 1;
	if (kma_intern_is_full(intern))
		return KMA_INTERN_REST;
	found = kma_map_add(&intern->map, hash) + 1;
	intern_put(intern, found, kind, text, len);
	return found;
}

struct kma_intern *kma_intern_new_of(const struct kma_intern *from, const bool *which)
{
	struct kma_intern *intern = kma_intern_new();

	for (uint32_t i = KMA_INTERN_REST + 1; i < kma_intern_count(from); i++) {
		const struct kma_known_site *site = known_site(from, i);

		if (which[i - KMA_INTERN_REST - 1])
			intern_text(intern, site->kind, site->text, site->len);
	}
	return intern;
}

uint32_t kma_intern(struct kma_intern *intern, enum kma_kind kind, const char *caller, size_t len)
{
	return len > KMA_INTERN_MAX_TEXT ? KMA_INTERN_REST : intern_text(intern, kind, caller, len);
}

uint32_t kma_intern_grouped(struct kma_intern *intern, enum kma_kind kind, const char *caller,
			    size_t len, const char *group)
{
	char text[KMA_GROUPED_MAX];
	size_t name = strlen(group);

	if (len > KMA_INTERN_MAX_TEXT || name > KMA_INTERN_MAX_TEXT)
		return KMA_INTERN_REST;
	memcpy(text, caller, len);
	text[len] = '\n';
	memcpy(text + len + 1, group, name);
	return intern_text(intern, kind, text, len + 1 + name);
}

const char *kma_intern_site(const struct kma_intern *intern, uint32_t site, enum kma_kind *kind,
			    size_t *len)
{
	const struct kma_known_site *known = known_site(intern, site);

	*kind = known->kind;
	*len = known->len;
	return known->text;
}

bool kma_intern_is_full(const struct kma_intern *intern)
{
	return kma_intern_count(intern) >= KMA_INTERN_MAX_SITES ||
	       kma_arena_bytes(&intern->texts) >= KMA_INTERN_MAX_BYTES;
}

uint32_t kma_intern_count(const struct kma_intern *intern)
{
	return intern->map.nr + 1;
}

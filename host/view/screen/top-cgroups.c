// SPDX-License-Identifier: GPL-2.0-only
/*
 * top-cgroups.c - the bytes of each cgroup in the rows of top.
 *
 * There are many more numbers by call site and cgroup than rows on a screen. One walk over them
 * looks up the row of each by key and kind in a sorted list of the rows, and keeps only the matches.
 * These are sorted by row and cgroup, and equal neighbours are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "top-cgroups.h"

/* A row in the list that is searched: the first @len bytes of @key are its key. */
struct kma_top_place {
	const char *key;
	size_t len, row;
	enum kma_kind kind;
};

/* The bytes of a call site of a row in a cgroup. */
struct kma_top_part {
	size_t row;
	const char *cgroup;
	uint64_t live;
};

struct kma_top_parts {
	struct kma_top_part *list;
	size_t nr, room;
};

static int top_by_place(const void *a, const void *b)
{
	const struct kma_top_place *one = a, *other = b;
	size_t len = one->len < other->len ? one->len : other->len;
	int order = memcmp(one->key, other->key, len);

	if (!order)
		order = (one->len > other->len) - (one->len < other->len);
	return order ?: (int)one->kind - (int)other->kind;
}

static int top_by_part(const void *a, const void *b)
{
	const struct kma_top_part *one = a, *other = b;

	if (one->row != other->row)
		return one->row < other->row ? -1 : 1;
	return strcmp(one->cgroup, other->cgroup);
}

static void top_keep(struct kma_top_parts *parts, const struct kma_top_place *place,
		     const struct kma_rates_site *site)
{
	kma_array_room(parts->list, parts->nr, parts->room);
	parts->list[parts->nr++] =
		(struct kma_top_part){ place->row, site->group, site->numbers.now.current };
}

/* Adds the parts of a site: in a tree one for each directory above it that has a row. */
static void top_parts_of(struct kma_top_parts *parts, const struct kma_top_place *places, size_t nr,
			 const struct kma_top_query *query, const struct kma_rates_site *site,
			 struct kma_arena *arena)
{
	const char *key = kma_top_site_key(query, site, arena);
	struct kma_top_place want = { .key = key,
				      .len = strlen(key),
				      .kind = kma_top_site_kind(query, site) };

	if (!kma_top_passes(query, key, site, arena))
		return;
	while (want.len) {
		const struct kma_top_place *place =
			bsearch(&want, places, nr, sizeof(*places), top_by_place);

		if (place)
			top_keep(parts, place, site);
		if (!query->tree)
			break;
		do
			want.len--;
		while (want.len && key[want.len] != '/');
	}
}

/* Chooses the largest cgroup of each row; among equal ones the first by name. */
static void top_choose_largest(struct kma_top_parts *parts, struct kma_top_largest *largest)
{
	struct kma_top_part *list = parts->list;

	if (parts->nr)
		qsort(list, parts->nr, sizeof(*list), top_by_part);
	for (size_t i = 0, next; i < parts->nr; i = next) {
		struct kma_top_largest *of = &largest[list[i].row];
		uint64_t live = 0;

		for (next = i; next < parts->nr && !top_by_part(&list[i], &list[next]); next++)
			live += list[next].live;
		if (live > of->live)
			*of = (struct kma_top_largest){ list[i].cgroup, live };
	}
}

struct kma_top_largest *kma_top_largest_of(const struct kma_top_row *rows, size_t nr,
					   const struct kma_top_facts *facts,
					   const struct kma_top_query *query)
{
	_cleanup_free_ struct kma_top_place *places = kma_xcalloc(nr + 1, sizeof(*places));
	struct kma_top_largest *largest = kma_xcalloc(nr + 1, sizeof(*largest));
	struct kma_top_parts parts = { 0 };
	struct kma_arena arena = { 0 };
	const struct kma_rates_site *sites;
	size_t nr_sites;

	for (size_t i = 0; i < nr; i++)
		places[i] =
			(struct kma_top_place){ rows[i].key, strlen(rows[i].key), i, rows[i].kind };
	qsort(places, nr, sizeof(*places), top_by_place);
	sites = kma_rates_sites(facts->cgroups, &nr_sites);
	for (size_t i = 0; i < nr_sites; i++)
		if (sites[i].numbers.now.current)
			top_parts_of(&parts, places, nr, query, &sites[i], &arena);
	kma_arena_deinit(&arena);
	top_choose_largest(&parts, largest);
	free(parts.list);
	return largest;
}

void kma_top_parts_init(struct kma_top_rows *rows, const struct kma_rates *from, enum kma_key_id by,
			const struct kma_top_query *query, const struct kma_top_row *row)
{
	struct kma_top_query sites = *query;
	const struct kma_top_query parts = {
		.by = KMA_BY(by),
		.sort = KMA_TOP_LIVE,
		.filter = "",
		.within = &sites,
		.key = row->is_site ? row->site->caller : row->key,
		.kind = row->kind,
	};

	/* a call site in a tree is the row that it would be without the tree */
	if (row->is_site) {
		sites.tree = false;
		sites.by = KMA_BY(KMA_KEY_CALLER);
	}
	kma_top_rows_init(rows, from, &parts);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * picks.c - choose the call sites, or the groups, that have time series of their own.
 *
 * An update merges the sites of the account by key, picks the largest, sets the numbers of all
 * picks, drops picks beyond 2 N, and computes "other" as total minus picks. Time is that of two
 * sorts of the sites.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "picks.h"

/* Starts of the lines of saved picks: of a pick, and of the allocations of the last account. */
static const struct {
	const char *line, *all;
} heads[KMA_NR_GROUPED] = {
	[KMA_GROUPED_NOT] = { "#kmem_account pick\t", "#kmem_account allocs\t" },
	[KMA_GROUPED_CGROUP] = { "#kmem_account cgroup pick\t", "#kmem_account cgroup allocs\t" },
	[KMA_GROUPED_NODE] = { "#kmem_account node pick\t", "#kmem_account node allocs\t" },
};

/* The sum of all sites of an account with the same key. */
struct kma_picks_row {
	struct kma_pick_key key;
	struct kma_values values;
};

static int compare_keys(const struct kma_pick_key *a, const struct kma_pick_key *b)
{
	int order = strcmp(a->site, b->site);

	order = order ?: strcmp(a->module, b->module);
	order = order ?: strcmp(a->kind, b->kind);
	return order ?: strcmp(a->directory, b->directory);
}

static int row_order(const void *a, const void *b)
{
	return compare_keys(&((const struct kma_picks_row *)a)->key,
			    &((const struct kma_picks_row *)b)->key);
}

static int pick_order(const void *a, const void *b)
{
	return compare_keys(&((const struct kma_pick *)a)->key, &((const struct kma_pick *)b)->key);
}

/* Sorts by live bytes, largest first; equal ones by key, so that the choice is always the same. */
static int size_order(const void *a, const void *b)
{
	const struct kma_picks_row *x = *(struct kma_picks_row *const *)a;
	const struct kma_picks_row *y = *(struct kma_picks_row *const *)b;

	if (x->values.current != y->values.current)
		return x->values.current < y->values.current ? 1 : -1;
	return compare_keys(&x->key, &y->key);
}

static void free_key(struct kma_pick_key *key)
{
	free((char *)key->site);
	free((char *)key->module);
	free((char *)key->kind);
	free((char *)key->directory);
}

static void drop_all(struct kma_picks *picks)
{
	for (size_t i = 0; i < picks->nr; i++)
		free_key(&picks->list[i].key);
	picks->nr = 0;
}

void kma_picks_deinit(struct kma_picks *picks)
{
	drop_all(picks);
	free(picks->list);
	*picks = (struct kma_picks){ 0 };
}

static struct kma_pick *add(struct kma_picks *picks, const struct kma_pick_key *key,
			    const struct kma_values *base)
{
	struct kma_pick *pick;

	picks->list = kma_xrealloc(picks->list, picks->nr + 1, sizeof(*picks->list));
	pick = &picks->list[picks->nr++];
	*pick = (struct kma_pick){ .key = { .site = kma_xstrdup(key->site),
					    .module = kma_xstrdup(key->module),
					    .kind = kma_xstrdup(key->kind),
					    .directory = kma_xstrdup(key->directory) },
				   .base = *base };
	return pick;
}

/*
 * Adds up rows with equal keys, so that no two series have the same labels. Returns their number.
 */
static size_t merge(struct kma_picks_row *rows, size_t nr)
{
	size_t kept = 0;

	qsort(rows, nr, sizeof(*rows), row_order);
	for (size_t i = 0; i < nr; i++) {
		if (kept && !compare_keys(&rows[kept - 1].key, &rows[i].key))
			kma_values_add(&rows[kept - 1].values, &rows[i].values);
		else
			rows[kept++] = rows[i];
	}
	return kept;
}

/*
 * Returns a text as it will be exported, so that texts which would look the same have equal keys.
 */
static const char *plain_text(struct kma_arena *arena, const char *text, size_t len)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

	kma_escape_plain(&plain, kma_arena_text(arena, text, len));
	return kma_arena_text(arena, plain.str ?: "", plain.len);
}

/* Returns the merged rows of an account. */
static struct kma_picks_row *make_rows(const struct kma_export_sites *sites,
				       struct kma_arena *arena, size_t *nr)
{
	struct kma_picks_row *rows = kma_xcalloc(sites->nr + 1, sizeof(*rows));

	for (size_t i = 0; i < sites->nr; i++) {
		const struct kma_export_site *site = &sites->list[i];
		const char *path = site->path ?: "";
		enum kma_kind kind = site->site->kind;

		rows[i].values = site->site->values;
		rows[i].key.site = plain_text(arena, site->name, strlen(site->name));
		rows[i].key.module =
			plain_text(arena, site->module ?: "", strlen(site->module ?: ""));
		rows[i].key.kind = kind == KMA_KIND_UNKNOWN ? "" : kma_kind_names[kind];
		rows[i].key.directory = plain_text(arena, path, kma_place_dir(path));
	}
	*nr = merge(rows, sites->nr);
	return rows;
}

static struct kma_picks_row *make_group_rows(const struct kma_account *groups, enum kma_grouped by,
					     struct kma_arena *arena, size_t *nr)
{
	const struct kma_site *sites;
	struct kma_picks_row *rows;
	size_t all, kept = 0;

	sites = kma_account_sites(groups, &all);
	rows = kma_xcalloc(all + 1, sizeof(*rows));
	for (size_t i = 0; i < all; i++) {
		if (sites[i].grouped != by)
			continue;
		rows[kept].values = sites[i].values;
		rows[kept].key = (struct kma_pick_key){ .module = "", .kind = "", .directory = "" };
		rows[kept++].key.site = plain_text(arena, sites[i].group, strlen(sites[i].group));
	}
	*nr = merge(rows, kept);
	return rows;
}

static bool fell(const struct kma_values *now, const struct kma_values *base)
{
	return now->allocs < base->allocs || now->frees < base->frees || now->total < base->total;
}

/* Sets the exported numbers: gauges as they are, counters since the site was picked. */
static void set_since(struct kma_pick *pick, const struct kma_values *values)
{
	if (fell(values, &pick->base))
		pick->base = (struct kma_values){ 0 };
	pick->now = *values;
	pick->now.allocs -= pick->base.allocs;
	pick->now.frees -= pick->base.frees;
	pick->now.total -= pick->base.total;
}

/* Sets "other" to the total minus the exported numbers of the picks. */
static void set_other(struct kma_picks *picks)
{
	struct kma_values *other = &picks->other;

	*other = picks->total;
	for (size_t i = 0; i < picks->nr; i++) {
		const struct kma_values *now = &picks->list[i].now;

		other->current -= now->current;
		other->req -= now->req;
		other->waste -= now->waste;
		other->charged -= now->charged;
		other->objects -= now->objects;
		other->allocs -= now->allocs;
		other->frees -= now->frees;
		other->total -= now->total;
		other->latency -= now->latency;
		other->waits -= now->waits;
	}
}

/* While there are more than 2 N picks, drops the smallest that is not one of the N largest. */
static void evict(struct kma_picks *picks)
{
	while (picks->nr > 2 * picks->max) {
		size_t least = picks->nr;

		for (size_t i = 0; i < picks->nr; i++)
			if (!picks->list[i].large &&
			    (least == picks->nr ||
			     picks->list[i].now.current < picks->list[least].now.current))
				least = i;
		if (least == picks->nr)
			return;
		free_key(&picks->list[least].key);
		memmove(&picks->list[least], &picks->list[least + 1],
			(picks->nr - least - 1) * sizeof(*picks->list));
		picks->nr--;
	}
}

static struct kma_pick *find(struct kma_picks *picks, const struct kma_pick_key *key)
{
	struct kma_pick wanted = { .key = *key };

	return picks->nr ? bsearch(&wanted, picks->list, picks->nr, sizeof(wanted), pick_order) :
			   NULL;
}

static void set_numbers(struct kma_picks *picks, const struct kma_picks_row *rows, size_t nr)
{
	for (size_t i = 0; i < picks->nr; i++) {
		struct kma_pick *pick = &picks->list[i];
		const struct kma_picks_row key = { .key = pick->key }, *row;

		row = bsearch(&key, rows, nr, sizeof(key), row_order);
		pick->there = row;
		if (row)
			set_since(pick, &row->values);
		else
			pick->now = (struct kma_values){ 0 };
	}
}

static void choose(struct kma_picks *picks, const struct kma_picks_row *rows, size_t nr)
{
	_cleanup_free_ const struct kma_picks_row **order = kma_xcalloc(nr + 1, sizeof(*order));
	static const struct kma_values none;
	size_t known = picks->nr;

	for (size_t i = 0; i < nr; i++)
		order[i] = &rows[i];
	qsort(order, nr, sizeof(*order), size_order);
	for (size_t i = 0; i < picks->nr; i++)
		picks->list[i].large = false;
	for (size_t i = 0; i < nr && i < picks->max; i++) {
		struct kma_picks old = *picks;
		struct kma_pick *pick;

		/* Search only the sorted part: picks that were added here follow it. */
		old.nr = known;
		pick = find(&old, &order[i]->key);
		pick = pick ?: add(picks, &order[i]->key, picks->begun ? &order[i]->values : &none);
		pick->large = true;
	}
}

/* Drops all picks if a new account was started. */
static void restart(struct kma_picks *picks)
{
	if (picks->begun && picks->total.allocs < picks->allocs) {
		drop_all(picks);
		picks->begun = false;
	}
	picks->allocs = picks->total.allocs;
}

/* Processes the merged rows of an account. */
static void take(struct kma_picks *picks, const struct kma_picks_row *rows, size_t nr)
{
	picks->total = (struct kma_values){ 0 };
	for (size_t i = 0; i < nr; i++)
		kma_values_add(&picks->total, &rows[i].values);
	restart(picks);
	choose(picks, rows, nr);
	set_numbers(picks, rows, nr);
	evict(picks);
	set_other(picks);
	if (picks->nr)
		qsort(picks->list, picks->nr, sizeof(*picks->list), pick_order);
	picks->begun = true;
}

void kma_picks_update(struct kma_picks *picks, const struct kma_export_sites *sites)
{
	struct kma_arena arena = { 0 };
	size_t nr;
	_cleanup_free_ struct kma_picks_row *rows = make_rows(sites, &arena, &nr);

	take(picks, rows, nr);
	kma_arena_deinit(&arena);
}

void kma_picks_update_groups(struct kma_picks *picks, const struct kma_account *groups)
{
	struct kma_arena arena = { 0 };
	size_t nr;
	_cleanup_free_ struct kma_picks_row *rows = make_group_rows(groups, picks->by, &arena, &nr);

	take(picks, rows, nr);
	kma_arena_deinit(&arena);
}

/* A tab ends a text: keys have none, as plain_text() replaces them. */
void kma_picks_save(const struct kma_picks *picks, struct kma_strbuf *out)
{
	const char *head = heads[picks->by].line;

	kma_strbuf_printf(out, "%s%" PRIu64 "\n", heads[picks->by].all, picks->allocs);
	for (size_t i = 0; i < picks->nr; i++) {
		const struct kma_pick *pick = &picks->list[i];
		const char *const texts[] = { pick->key.site, pick->key.module, pick->key.kind,
					      pick->key.directory };

		kma_strbuf_printf(out, "%s%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, head,
				  pick->base.allocs, pick->base.frees, pick->base.total);
		for (size_t k = 0; k < ARRAY_SIZE(texts); k++)
			kma_strbuf_printf(out, "\t%s", texts[k]);
		kma_strbuf_puts(out, "\n");
	}
}

/* Reads the rest of a saved line, after its start. */
static void load_line(struct kma_picks *picks, char *line)
{
	struct kma_values base = { 0 };
	uint64_t *numbers[] = { &base.allocs, &base.frees, &base.total };
	struct kma_pick_key key = { 0 };
	const char **texts[] = { &key.site, &key.module, &key.kind, &key.directory };
	char *cell, *end;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		cell = strsep(&line, "\t");
		if (!cell)
			return;
		*numbers[i] = strtoull(cell, &end, 10);
		if (*end)
			return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		*texts[i] = strsep(&line, "\t");
		if (!*texts[i])
			return;
	}
	add(picks, &key, &base);
}

void kma_picks_load(struct kma_picks *picks, const char *text)
{
	const char *one = heads[picks->by].line, *all = heads[picks->by].all;
	_cleanup_free_ char *copy = kma_xstrdup(text);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!strncmp(line, all, strlen(all))) {
			picks->allocs = strtoull(line + strlen(all), NULL, 10);
			picks->begun = true;
		} else if (!strncmp(line, one, strlen(one))) {
			load_line(picks, line + strlen(one));
		}
	}
	if (picks->nr)
		qsort(picks->list, picks->nr, sizeof(*picks->list), pick_order);
}

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

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "picks.h"

/* Starts of the lines of saved picks: of a pick, and of the allocations of the last account. */
static const struct {
	const char *line, *all;
} kma_picks_heads[KMA_NR_GROUPED] = {
	[KMA_GROUPED_NOT] = { "#kmem_account pick\t", "#kmem_account allocs\t" },
	[KMA_GROUPED_CGROUP] = { "#kmem_account cgroup pick\t", "#kmem_account cgroup allocs\t" },
	[KMA_GROUPED_NODE] = { "#kmem_account node pick\t", "#kmem_account node allocs\t" },
};

/* The sum of all sites of an account with the same key. */
struct kma_picks_row {
	struct kma_pick_key key;
	struct kma_values values;
};

static int kma_picks_compare(const struct kma_pick_key *a, const struct kma_pick_key *b)
{
	int order = strcmp(a->site, b->site);

	order = order ?: strcmp(a->module, b->module);
	order = order ?: strcmp(a->kind, b->kind);
	return order ?: strcmp(a->directory, b->directory);
}

static int kma_picks_row_order(const void *a, const void *b)
{
	return kma_picks_compare(&((const struct kma_picks_row *)a)->key,
				 &((const struct kma_picks_row *)b)->key);
}

static int kma_picks_pick_order(const void *a, const void *b)
{
	return kma_picks_compare(&((const struct kma_pick *)a)->key,
				 &((const struct kma_pick *)b)->key);
}

/* Sorts by live bytes, largest first; equal ones by key, so that the choice is always the same. */
static int kma_picks_size_order(const void *a, const void *b)
{
	const struct kma_picks_row *x = *(struct kma_picks_row *const *)a;
	const struct kma_picks_row *y = *(struct kma_picks_row *const *)b;

	if (x->values.current != y->values.current)
		return x->values.current < y->values.current ? 1 : -1;
	return kma_picks_compare(&x->key, &y->key);
}

static void kma_picks_key_free(struct kma_pick_key *key)
{
	free((char *)key->site);
	free((char *)key->module);
	free((char *)key->kind);
	free((char *)key->directory);
}

static bool kma_picks_key_copy(const struct kma_pick_key *from, struct kma_pick_key *ret)
{
	*ret = (struct kma_pick_key){ .site = strdup(from->site),
				      .module = strdup(from->module),
				      .kind = strdup(from->kind),
				      .directory = strdup(from->directory) };
	if (ret->site && ret->module && ret->kind && ret->directory)
		return true;
	kma_picks_key_free(ret);
	return false;
}

static void kma_picks_empty(struct kma_picks *picks)
{
	for (size_t i = 0; i < picks->nr; i++)
		kma_picks_key_free(&picks->list[i].key);
	picks->nr = 0;
}

void kma_picks_deinit(struct kma_picks *picks)
{
	kma_picks_empty(picks);
	free(picks->list);
	*picks = (struct kma_picks){ 0 };
}

static struct kma_err *kma_picks_add(struct kma_picks *picks, const struct kma_pick_key *key,
				     const struct kma_values *base)
{
	struct kma_pick *list = realloc(picks->list, (picks->nr + 1) * sizeof(*list));

	if (!list)
		return &kma_enomem;
	picks->list = list;
	list[picks->nr] = (struct kma_pick){ .base = *base };
	if (!kma_picks_key_copy(key, &list[picks->nr].key))
		return &kma_enomem;
	picks->nr++;
	return NULL;
}

/*
 * Adds up rows with equal keys, so that no two series have the same labels. Returns their number.
 */
static size_t kma_picks_merge(struct kma_picks_row *rows, size_t nr)
{
	size_t kept = 0;

	qsort(rows, nr, sizeof(*rows), kma_picks_row_order);
	for (size_t i = 0; i < nr; i++) {
		if (kept && !kma_picks_compare(&rows[kept - 1].key, &rows[i].key))
			kma_values_add(&rows[kept - 1].values, &rows[i].values);
		else
			rows[kept++] = rows[i];
	}
	return kept;
}

/*
 * Returns a text as it will be exported, so that texts which would look the same have equal keys.
 */
static const char *kma_picks_text(struct kma_arena *arena, const char *text, size_t len)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

	kma_escape_plain(&plain, kma_arena_text(arena, text, len));
	return kma_arena_text(arena, plain.str ?: "", plain.len);
}

static struct kma_err *kma_picks_rows(const struct kma_export_sites *sites, struct kma_arena *arena,
				      struct kma_picks_row **ret, size_t *nr)
{
	struct kma_picks_row *rows = calloc(sites->nr + 1, sizeof(*rows));

	if (!rows)
		return &kma_enomem;
	*ret = rows;
	for (size_t i = 0; i < sites->nr; i++) {
		const struct kma_export_site *site = &sites->list[i];
		const char *path = site->path ?: "";
		enum kma_kind kind = site->site->kind;

		rows[i].values = site->site->values;
		rows[i].key.site = kma_picks_text(arena, site->name, strlen(site->name));
		rows[i].key.module =
			kma_picks_text(arena, site->module ?: "", strlen(site->module ?: ""));
		rows[i].key.kind = kind == KMA_KIND_UNKNOWN ? "" : kma_kind_names[kind];
		rows[i].key.directory = kma_picks_text(arena, path, kma_place_dir(path));
		if (!rows[i].key.site || !rows[i].key.module || !rows[i].key.directory)
			return &kma_enomem;
	}
	*nr = kma_picks_merge(rows, sites->nr);
	return NULL;
}

static struct kma_err *kma_picks_group_rows(const struct kma_account *groups, enum kma_grouped by,
					    struct kma_arena *arena, struct kma_picks_row **ret,
					    size_t *nr)
{
	const struct kma_site *sites;
	struct kma_picks_row *rows;
	size_t all, kept = 0;

	sites = kma_account_sites(groups, &all);
	rows = *ret = calloc(all + 1, sizeof(*rows));
	if (!rows)
		return &kma_enomem;
	for (size_t i = 0; i < all; i++) {
		if (sites[i].grouped != by)
			continue;
		rows[kept].values = sites[i].values;
		rows[kept].key = (struct kma_pick_key){ .module = "", .kind = "", .directory = "" };
		rows[kept].key.site = kma_picks_text(arena, sites[i].group, strlen(sites[i].group));
		if (!rows[kept++].key.site)
			return &kma_enomem;
	}
	*nr = kma_picks_merge(rows, kept);
	return NULL;
}

static bool kma_picks_fell(const struct kma_values *now, const struct kma_values *base)
{
	return now->allocs < base->allocs || now->frees < base->frees || now->total < base->total;
}

/* Sets the exported numbers: gauges as they are, counters since the site was picked. */
static void kma_picks_since(struct kma_pick *pick, const struct kma_values *values)
{
	if (kma_picks_fell(values, &pick->base))
		pick->base = (struct kma_values){ 0 };
	pick->now = *values;
	pick->now.allocs -= pick->base.allocs;
	pick->now.frees -= pick->base.frees;
	pick->now.total -= pick->base.total;
}

/* Sets "other" to the total minus the exported numbers of the picks. */
static void kma_picks_rest(struct kma_picks *picks)
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
static void kma_picks_evict(struct kma_picks *picks)
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
		kma_picks_key_free(&picks->list[least].key);
		memmove(&picks->list[least], &picks->list[least + 1],
			(picks->nr - least - 1) * sizeof(*picks->list));
		picks->nr--;
	}
}

static struct kma_pick *kma_picks_find(struct kma_picks *picks, const struct kma_pick_key *key)
{
	struct kma_pick wanted = { .key = *key };

	return picks->nr ? bsearch(&wanted, picks->list, picks->nr, sizeof(wanted),
				   kma_picks_pick_order) :
			   NULL;
}

static void kma_picks_numbers(struct kma_picks *picks, const struct kma_picks_row *rows, size_t nr)
{
	for (size_t i = 0; i < picks->nr; i++) {
		struct kma_pick *pick = &picks->list[i];
		const struct kma_picks_row key = { .key = pick->key }, *row;

		row = bsearch(&key, rows, nr, sizeof(key), kma_picks_row_order);
		pick->there = row;
		if (row)
			kma_picks_since(pick, &row->values);
		else
			pick->now = (struct kma_values){ 0 };
	}
}

static struct kma_err *kma_picks_choose(struct kma_picks *picks, const struct kma_picks_row *rows,
					size_t nr, const struct kma_picks_row **order)
{
	static const struct kma_values none;
	struct kma_err *err = NULL;
	size_t known = picks->nr;

	for (size_t i = 0; i < nr; i++)
		order[i] = &rows[i];
	qsort(order, nr, sizeof(*order), kma_picks_size_order);
	for (size_t i = 0; i < picks->nr; i++)
		picks->list[i].large = false;
	for (size_t i = 0; i < nr && i < picks->max && !err; i++) {
		struct kma_picks old = *picks;
		struct kma_pick *pick;

		/* Search only the sorted part: picks that were added here follow it. */
		old.nr = known;
		pick = kma_picks_find(&old, &order[i]->key);
		if (pick) {
			pick->large = true;
			continue;
		}
		err = kma_picks_add(picks, &order[i]->key,
				    picks->begun ? &order[i]->values : &none);
		if (!err)
			picks->list[picks->nr - 1].large = true;
	}
	return err;
}

/* Drops all picks if a new account was started. */
static void kma_picks_restart(struct kma_picks *picks)
{
	if (picks->begun && picks->total.allocs < picks->allocs) {
		kma_picks_empty(picks);
		picks->begun = false;
	}
	picks->allocs = picks->total.allocs;
}

/* Processes the merged rows of an account. */
static struct kma_err *kma_picks_take(struct kma_picks *picks, const struct kma_picks_row *rows,
				      size_t nr)
{
	_cleanup_free_ const struct kma_picks_row **order = calloc(nr + 1, sizeof(*order));
	struct kma_err *err;

	if (!order)
		return &kma_enomem;
	picks->total = (struct kma_values){ 0 };
	for (size_t i = 0; i < nr; i++)
		kma_values_add(&picks->total, &rows[i].values);
	kma_picks_restart(picks);
	err = kma_picks_choose(picks, rows, nr, order);
	if (err)
		return err;
	kma_picks_numbers(picks, rows, nr);
	kma_picks_evict(picks);
	kma_picks_rest(picks);
	if (picks->nr)
		qsort(picks->list, picks->nr, sizeof(*picks->list), kma_picks_pick_order);
	picks->begun = true;
	return NULL;
}

struct kma_err *kma_picks_update(struct kma_picks *picks, const struct kma_export_sites *sites)
{
	_cleanup_free_ struct kma_picks_row *rows = NULL;
	struct kma_arena arena = { 0 };
	struct kma_err *err;
	size_t nr = 0;

	err = kma_picks_rows(sites, &arena, &rows, &nr);
	if (!err)
		err = kma_picks_take(picks, rows, nr);
	kma_arena_deinit(&arena);
	return err;
}

struct kma_err *kma_picks_update_groups(struct kma_picks *picks, const struct kma_account *groups)
{
	_cleanup_free_ struct kma_picks_row *rows = NULL;
	struct kma_arena arena = { 0 };
	struct kma_err *err;
	size_t nr = 0;

	err = kma_picks_group_rows(groups, picks->by, &arena, &rows, &nr);
	if (!err)
		err = kma_picks_take(picks, rows, nr);
	kma_arena_deinit(&arena);
	return err;
}

/* A tab ends a text: keys have none, as kma_picks_text() replaces them. */
void kma_picks_save(const struct kma_picks *picks, struct kma_strbuf *out)
{
	const char *head = kma_picks_heads[picks->by].line;

	kma_strbuf_printf(out, "%s%" PRIu64 "\n", kma_picks_heads[picks->by].all, picks->allocs);
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
static struct kma_err *kma_picks_line(struct kma_picks *picks, char *line)
{
	struct kma_values base = { 0 };
	uint64_t *numbers[] = { &base.allocs, &base.frees, &base.total };
	struct kma_pick_key key = { 0 };
	const char **texts[] = { &key.site, &key.module, &key.kind, &key.directory };
	char *cell, *end;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		cell = strsep(&line, "\t");
		if (!cell)
			return NULL;
		*numbers[i] = strtoull(cell, &end, 10);
		if (*end)
			return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		*texts[i] = strsep(&line, "\t");
		if (!*texts[i])
			return NULL;
	}
	return kma_picks_add(picks, &key, &base);
}

struct kma_err *kma_picks_load(struct kma_picks *picks, const char *text)
{
	const char *one = kma_picks_heads[picks->by].line, *all = kma_picks_heads[picks->by].all;
	_cleanup_free_ char *copy = strdup(text);
	struct kma_err *err = NULL;
	char *rest = copy, *line;

	if (!copy)
		return &kma_enomem;
	while (!err && (line = strsep(&rest, "\n"))) {
		if (!strncmp(line, all, strlen(all))) {
			picks->allocs = strtoull(line + strlen(all), NULL, 10);
			picks->begun = true;
		} else if (!strncmp(line, one, strlen(one))) {
			err = kma_picks_line(picks, line + strlen(one));
		}
	}
	if (picks->nr)
		qsort(picks->list, picks->nr, sizeof(*picks->list), kma_picks_pick_order);
	return err;
}

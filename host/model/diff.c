// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - compare two accounts.
 *
 * The rows of both sides are put into one list of entries, which is sorted by key and kind. Entries
 * with equal keys are then next to each other and become one row. This needs no hash table, and the
 * time is that of two sorts: by key, then by the size of the change. Each entry has a copy of its
 * key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"

const char *const kma_diff_states[] = {
	[KMA_DIFF_CHANGED] = "changed",
	[KMA_DIFF_SAME] = "same",
	[KMA_DIFF_NEW] = "new",
	[KMA_DIFF_GONE] = "gone",
};

/* A row of one side. */
struct kma_diff_entry {
	char *key;
	enum kma_kind kind;
	enum kma_diff_side side;
	struct kma_values values;
};

struct kma_diff {
	struct kma_diff_entry *entries;
	size_t nr_entries;
	size_t alloc_entries;
	bool has_kinds;
	struct kma_diff_row *rows;
	size_t nr;
	struct kma_diff_row total;
	bool disjoint; /* both sides have rows, and no row is on both */
	char *other;   /* key of the row that combines those after the first @top */
	enum kma_metric_id metric;
};

struct kma_diff *kma_diff_create(void)
{
	return kma_xcalloc(1, sizeof(struct kma_diff));
}

void kma_diff_destroy(struct kma_diff *diff)
{
	if (!diff)
		return;
	for (size_t i = 0; i < diff->nr_entries; i++)
		free(diff->entries[i].key);
	free(diff->entries);
	free(diff->rows);
	free(diff->other);
	free(diff);
}

/* Add an entry. The diff owns @key. */
static void diff_take(struct kma_diff *diff, enum kma_diff_side side, char *key, enum kma_kind kind,
		      const struct kma_values *values)
{
	kma_array_room(diff->entries, diff->nr_entries, diff->alloc_entries);
	diff->entries[diff->nr_entries++] = (struct kma_diff_entry){ key, kind, side, *values };
}

void kma_diff_add(struct kma_diff *diff, enum kma_diff_side side, const char *key,
		  const struct kma_values *values)
{
	diff_take(diff, side, kma_xstrdup(key), KMA_KIND_UNKNOWN, values);
}

/*
 * Bytes of a symbol without the suffixes of the compiler: 3 of foo.part.0 and of foo.isra.0.cold.
 */
static int plain_len(const char *symbol)
{
	const char *dot = *symbol ? strchr(symbol + 1, '.') : NULL;

	return dot ? dot - symbol : (int)strlen(symbol);
}

static char *site_key(const struct kma_site *site, enum kma_diff_match match)
{
	if (match == KMA_DIFF_BY_SITE || !site->symbol)
		return kma_xstrdup(site->caller);
	if (!site->module)
		return kma_xstrndup(site->symbol, plain_len(site->symbol));
	return kma_xasprintf("%.*s [%s]", plain_len(site->symbol), site->symbol, site->module);
}

char *kma_diff_key(const char *caller, enum kma_diff_match match)
{
	_cleanup_free_ char *pieces = kma_xstrdup(caller);
	struct kma_site site = { .caller = caller };

	kma_site_parse(pieces, &site);
	return site_key(&site, match);
}

void kma_diff_add_caller(struct kma_diff *diff, enum kma_diff_side side, const char *caller,
			 enum kma_kind kind, enum kma_diff_match match,
			 const struct kma_values *values)
{
	diff_take(diff, side, kma_diff_key(caller, match),
		  diff->has_kinds ? kind : KMA_KIND_UNKNOWN, values);
}

static bool kma_has_kinds(const struct kma_account *account)
{
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].kind != KMA_KIND_UNKNOWN)
			return true;
	return false;
}

static void diff_add_account(struct kma_diff *diff, enum kma_diff_side side,
			     const struct kma_account *account, enum kma_diff_match match)
{
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		diff_take(diff, side, site_key(&sites[i], match),
			  diff->has_kinds ? sites[i].kind : KMA_KIND_UNKNOWN, &sites[i].values);
}

void kma_diff_set_kinds(struct kma_diff *diff, const struct kma_account *before,
			const struct kma_account *after)
{
	diff->has_kinds = kma_has_kinds(before) && kma_has_kinds(after);
}

void kma_diff_add_accounts(struct kma_diff *diff, const struct kma_account *before,
			   const struct kma_account *after, enum kma_diff_match match)
{
	kma_diff_set_kinds(diff, before, after);
	diff_add_account(diff, KMA_DIFF_BEFORE, before, match);
	diff_add_account(diff, KMA_DIFF_AFTER, after, match);
}

static int cmp_text(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

/* Order of sites: by symbol, then by module. */
static int cmp_symbol(const void *a, const void *b)
{
	const struct kma_site *x = *(const struct kma_site *const *)a;
	const struct kma_site *y = *(const struct kma_site *const *)b;
	int cmp = cmp_text(x->symbol, y->symbol);

	return cmp ? cmp : cmp_text(x->module, y->module);
}

/* The sites of an account whose function has a known size, sorted. */
static const struct kma_site **sized_sites(const struct kma_account *account, size_t *ret)
{
	const struct kma_site *sites, **sized;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	*ret = 0;
	sized = kma_xcalloc(nr + 1, sizeof(const struct kma_site *));
	for (size_t i = 0; i < nr; i++)
		if (sites[i].symbol && sites[i].size)
			sized[(*ret)++] = &sites[i];
	qsort(sized, *ret, sizeof(const struct kma_site *), cmp_symbol);
	return sized;
}

/* From @i on, do the sites of the function of @site include one with the same size? */
static bool has_size(const struct kma_site *const *sites, size_t nr, size_t i,
		     const struct kma_site *site)
{
	for (size_t j = i; j < nr && !cmp_symbol(&sites[j], &site); j++)
		if (sites[j]->size == site->size)
			return true;
	return false;
}

/*
 * Does each function that both accounts have agree in its size? Static functions may share a name,
 * so one function of that name and size is enough.
 */
static bool sizes_agree(const struct kma_account *before, const struct kma_account *after)
{
	size_t nr_a, nr_b, i = 0, j = 0;
	_cleanup_free_ const struct kma_site **a = sized_sites(before, &nr_a);
	_cleanup_free_ const struct kma_site **b = sized_sites(after, &nr_b);

	while (a && b && i < nr_a && j < nr_b) {
		int cmp = cmp_symbol(&a[i], &b[j]);

		if (cmp > 0) {
			j++;
			continue;
		}
		if (!cmp && !has_size(b, nr_b, j, a[i]))
			return false;
		i++;
	}
	return true;
}

enum kma_diff_match kma_diff_choose(const struct kma_account *before,
				    const struct kma_account *after)
{
	static const char *const keys[] = { KMA_NOTE_BUILD_ID, KMA_NOTE_RELEASE };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *a = kma_account_note(before, keys[i]);
		const char *b = kma_account_note(after, keys[i]);

		if (!a || !b)
			continue;
		if (strcmp(a, b))
			return KMA_DIFF_BY_FUNCTION;
		if (!strcmp(keys[i], KMA_NOTE_BUILD_ID))
			return KMA_DIFF_BY_SITE;
	}
	return sizes_agree(before, after) ? KMA_DIFF_BY_SITE : KMA_DIFF_BY_FUNCTION;
}

static int cmp_entry(const void *a, const void *b)
{
	const struct kma_diff_entry *x = a, *y = b;
	int cmp = strcmp(x->key, y->key);

	return cmp ? cmp : (x->kind > y->kind) - (x->kind < y->kind);
}

static uint64_t row_value(const struct kma_diff *diff, const struct kma_diff_row *row,
			  enum kma_diff_side side)
{
	return kma_metrics[diff->metric].get(&row->values[side]);
}

/* Size of the change of a row, up or down. */
static uint64_t row_change(const struct kma_diff *diff, const struct kma_diff_row *row)
{
	uint64_t before = row_value(diff, row, KMA_DIFF_BEFORE);
	uint64_t after = row_value(diff, row, KMA_DIFF_AFTER);

	return before > after ? before - after : after - before;
}

/* Make one row of all entries with the same key. The entries are sorted by key. */
static void diff_merge(struct kma_diff *diff)
{
	unsigned int sides = 0, seen = 0;
	bool common = false;

	for (size_t i = 0; i < diff->nr_entries; i++) {
		const struct kma_diff_entry *entry = &diff->entries[i];
		struct kma_diff_row *row;

		if (!i || cmp_entry(entry - 1, entry)) {
			diff->rows[diff->nr++] = (struct kma_diff_row){ .key = entry->key,
									.kind = entry->kind,
									.nr = 1 };
			sides = 0;
		}
		row = &diff->rows[diff->nr - 1];
		kma_values_add(&row->values[entry->side], &entry->values);
		kma_values_add(&diff->total.values[entry->side], &entry->values);
		sides |= 1U << entry->side;
		row->state = sides == 1U << KMA_DIFF_AFTER  ? KMA_DIFF_NEW :
			     sides == 1U << KMA_DIFF_BEFORE ? KMA_DIFF_GONE :
							      KMA_DIFF_CHANGED;
		seen |= sides;
		common |= row->state == KMA_DIFF_CHANGED;
	}
	diff->disjoint = !common && seen == (1U << KMA_NR_DIFF_SIDES) - 1;
	for (size_t i = 0; i < diff->nr; i++)
		if (diff->rows[i].state == KMA_DIFF_CHANGED && !row_change(diff, &diff->rows[i]))
			diff->rows[i].state = KMA_DIFF_SAME;
}

static int cmp_change(const void *a, const void *b, void *arg)
{
	const struct kma_diff_row *x = a, *y = b;
	uint64_t change_x = row_change(arg, x), change_y = row_change(arg, y);
	int cmp = (change_x < change_y) - (change_x > change_y);

	if (!cmp)
		cmp = strcmp(x->key, y->key);
	return cmp ? cmp : (x->kind > y->kind) - (x->kind < y->kind);
}

/* Combine the rows [@from, @to) into one at @from. */
static void diff_gather(struct kma_diff *diff, size_t from, size_t to, const char *key)
{
	struct kma_diff_row sum = { .key = key };

	for (size_t i = from; i < to; i++) {
		kma_values_add(&sum.values[KMA_DIFF_BEFORE],
			       &diff->rows[i].values[KMA_DIFF_BEFORE]);
		kma_values_add(&sum.values[KMA_DIFF_AFTER], &diff->rows[i].values[KMA_DIFF_AFTER]);
		sum.nr += diff->rows[i].nr;
	}
	sum.state = row_change(diff, &sum) ? KMA_DIFF_CHANGED : KMA_DIFF_SAME;
	diff->rows[from] = sum;
	memmove(&diff->rows[from + 1], &diff->rows[to], (diff->nr - to) * sizeof(sum));
	diff->nr -= to - from - 1;
}

void kma_diff_finish(struct kma_diff *diff, enum kma_metric_id metric, uint64_t floor, size_t top)
{
	size_t above = 0;

	diff->metric = metric;
	diff->rows = kma_xcalloc(diff->nr_entries + 1, sizeof(*diff->rows));
	if (diff->nr_entries)
		qsort(diff->entries, diff->nr_entries, sizeof(*diff->entries), cmp_entry);
	diff_merge(diff);
	qsort_r(diff->rows, diff->nr, sizeof(*diff->rows), cmp_change, diff);
	diff->total.key = "total";
	diff->total.nr = diff->nr;
	diff->total.state = row_change(diff, &diff->total) ? KMA_DIFF_CHANGED : KMA_DIFF_SAME;
	while (above < diff->nr && row_change(diff, &diff->rows[above]) >= floor)
		above++;
	if (above < diff->nr)
		diff_gather(diff, above, diff->nr, floor > 1 ? "[below the floor]" : "[unchanged]");
	/* A row "other (1 rows)" would be less useful than the row that it replaces. */
	if (!top || above <= top + 1)
		return;
	diff->other = kma_xasprintf("other (%zu rows)", above - top);
	diff_gather(diff, top, above, diff->other);
}

const struct kma_diff_row *kma_diff_rows(const struct kma_diff *diff, size_t *nr)
{
	*nr = diff->nr;
	return diff->rows;
}

bool kma_diff_is_disjoint(const struct kma_diff *diff)
{
	return diff->disjoint;
}

const struct kma_diff_row *kma_diff_total(const struct kma_diff *diff)
{
	return &diff->total;
}

bool kma_diff_has_kinds(const struct kma_diff *diff)
{
	return diff->has_kinds;
}

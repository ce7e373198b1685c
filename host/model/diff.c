// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - compare two accounts. A map finds the row of a key and a kind, so a site costs one
 * look-up, and a row keeps the two numbers that are compared. Only the rows that are shown by
 * themselves are sorted.
 */
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/strbuf.h"

const char *const kma_diff_states[] = {
	[KMA_DIFF_CHANGED] = "changed",
	[KMA_DIFF_SAME] = "same",
	[KMA_DIFF_NEW] = "new",
	[KMA_DIFF_GONE] = "gone",
};

struct kma_diff {
	enum kma_metric_id metric;
	bool has_kinds;
	struct kma_map map; /* of the rows, until they are sorted */
	struct kma_arena keys;
	struct kma_diff_row *rows;
	size_t nr, room;
	struct kma_diff_row total;
	bool disjoint;		/* both sides have rows, and no row is on both */
	struct kma_strbuf text; /* a key while it is looked up */
	char *other;		/* key of the row that combines those after the first @top */
};

struct kma_diff *kma_diff_create(enum kma_metric_id metric)
{
	struct kma_diff *diff = kma_xcalloc(1, sizeof(*diff));

	diff->metric = metric;
	return diff;
}

void kma_diff_destroy(struct kma_diff *diff)
{
	if (!diff)
		return;
	kma_map_free(&diff->map);
	kma_arena_deinit(&diff->keys);
	kma_strbuf_deinit(&diff->text);
	free(diff->rows);
	free(diff->other);
	free(diff);
}

/* Add the number of one side to the row of a key and a kind. */
static void diff_take(struct kma_diff *diff, enum kma_diff_side side, const char *key,
		      enum kma_kind kind, const struct kma_values *values)
{
	uint64_t number = kma_metrics[diff->metric].get(values);
	enum kma_diff_state alone = side == KMA_DIFF_AFTER ? KMA_DIFF_NEW : KMA_DIFF_GONE;
	size_t len = strlen(key);
	uint32_t hash = kma_map_text(key, len) + kind;
	uint32_t n = kma_map_find(&diff->map, hash, i,
				  diff->rows[i].kind == kind && !strcmp(diff->rows[i].key, key));

	if (n == KMA_MAP_NONE) {
		n = kma_map_add(&diff->map, hash);
		kma_array_room(diff->rows, diff->nr, diff->room);
		diff->rows[diff->nr++] =
			(struct kma_diff_row){ .key = kma_arena_text(&diff->keys, key, len),
					       .kind = kind,
					       .state = alone,
					       .nr = 1 };
	} else if (diff->rows[n].state != alone) {
		diff->rows[n].state = KMA_DIFF_CHANGED;
	}
	diff->rows[n].number[side] += number;
	diff->total.number[side] += number;
}

void kma_diff_add(struct kma_diff *diff, enum kma_diff_side side, const char *key,
		  const struct kma_values *values)
{
	diff_take(diff, side, key, KMA_KIND_UNKNOWN, values);
}

/*
 * Bytes of a symbol without the suffixes of the compiler: 3 of foo.part.0 and of foo.isra.0.cold.
 */
static int plain_len(const char *symbol)
{
	const char *dot = *symbol ? strchr(symbol + 1, '.') : NULL;

	return dot ? dot - symbol : (int)strlen(symbol);
}

static void site_key(const struct kma_site *site, enum kma_diff_match match, struct kma_strbuf *ret)
{
	if (match == KMA_DIFF_BY_SITE || !site->symbol)
		kma_strbuf_puts(ret, site->caller);
	else
		kma_strbuf_add(ret, site->symbol, plain_len(site->symbol));
	if (match != KMA_DIFF_BY_SITE && site->symbol && site->module)
		kma_strbuf_printf(ret, " [%s]", site->module);
}

char *kma_diff_key(const char *caller, enum kma_diff_match match)
{
	_cleanup_free_ char *pieces = kma_xstrdup(caller);
	struct kma_site site = { .caller = caller };
	struct kma_strbuf key = { 0 };

	kma_site_parse(pieces, &site);
	site_key(&site, match, &key);
	return key.str;
}

void kma_diff_add_caller(struct kma_diff *diff, enum kma_diff_side side, const char *caller,
			 enum kma_kind kind, enum kma_diff_match match,
			 const struct kma_values *values)
{
	_cleanup_free_ char *key = kma_diff_key(caller, match);

	diff_take(diff, side, key, diff->has_kinds ? kind : KMA_KIND_UNKNOWN, values);
}

static bool side_has_kinds(const struct kma_account *account)
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
	for (size_t i = 0; i < nr; i++) {
		diff->text.len = 0;
		site_key(&sites[i], match, &diff->text);
		diff_take(diff, side, diff->text.str,
			  diff->has_kinds ? sites[i].kind : KMA_KIND_UNKNOWN, &sites[i].values);
	}
}

void kma_diff_set_kinds(struct kma_diff *diff, const struct kma_account *before,
			const struct kma_account *after)
{
	diff->has_kinds = side_has_kinds(before) && side_has_kinds(after);
}

void kma_diff_add_accounts(struct kma_diff *diff, const struct kma_account *before,
			   const struct kma_account *after, enum kma_diff_match match)
{
	kma_diff_set_kinds(diff, before, after);
	diff_add_account(diff, KMA_DIFF_BEFORE, before, match);
	diff_add_account(diff, KMA_DIFF_AFTER, after, match);
}

/* Functions of an account: each name, or each name with each size of its functions. */
struct functions {
	struct kma_map map;
	const struct kma_site **sites;
	size_t nr, room;
	bool sized;
};

static bool same_function(const struct kma_site *a, const struct kma_site *b, bool sized)
{
	return !strcmp(a->symbol, b->symbol) && !strcmp(a->module ?: "", b->module ?: "") &&
	       (!sized || a->size == b->size);
}

/* Is a function with the name of a site's among them? If not, @add adds it. */
static bool has_function(struct functions *in, const struct kma_site *site, bool add)
{
	uint32_t hash = kma_map_text(site->symbol, strlen(site->symbol)) + in->sized * site->size;

	if (kma_map_find(&in->map, hash, i, same_function(in->sites[i], site, in->sized)) !=
	    KMA_MAP_NONE)
		return true;
	if (add) {
		kma_map_add(&in->map, hash);
		kma_array_room(in->sites, in->nr, in->room);
		in->sites[in->nr++] = site;
	}
	return false;
}

/*
 * Does each function that both accounts have agree in its size? Static functions may share a name,
 * so one function of that name and size is enough.
 */
static bool sizes_agree(const struct kma_account *before, const struct kma_account *after)
{
	struct functions named = { 0 }, sized = { .sized = true };
	const struct kma_site *sites;
	bool agree = true;
	size_t nr;

	sites = kma_account_sites(after, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (!sites[i].symbol || !sites[i].size || has_function(&sized, &sites[i], true))
			continue;
		has_function(&named, &sites[i], true);
	}
	sites = kma_account_sites(before, &nr);
	for (size_t i = 0; i < nr && agree; i++)
		agree = !sites[i].symbol || !sites[i].size ||
			has_function(&sized, &sites[i], false) ||
			!has_function(&named, &sites[i], false);
	kma_map_free(&named.map);
	kma_map_free(&sized.map);
	free(named.sites);
	free(sized.sites);
	return agree;
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

/* Size of the change of a row, up or down. */
static uint64_t row_change(const struct kma_diff_row *row)
{
	uint64_t before = row->number[KMA_DIFF_BEFORE], after = row->number[KMA_DIFF_AFTER];

	return before > after ? before - after : after - before;
}

static int cmp_change(const void *a, const void *b)
{
	const struct kma_diff_row *x = a, *y = b;
	uint64_t change_x = row_change(x), change_y = row_change(y);
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
		for (int side = 0; side < KMA_NR_DIFF_SIDES; side++)
			sum.number[side] += diff->rows[i].number[side];
		sum.nr += diff->rows[i].nr;
	}
	sum.state = row_change(&sum) ? KMA_DIFF_CHANGED : KMA_DIFF_SAME;
	diff->rows[from] = sum;
	memmove(&diff->rows[from + 1], &diff->rows[to], (diff->nr - to) * sizeof(sum));
	diff->nr -= to - from - 1;
}

void kma_diff_finish(struct kma_diff *diff, uint64_t floor, size_t top)
{
	unsigned int states = 0; /* of the rows, as 1 << state */
	size_t above = 0;

	kma_map_free(&diff->map);
	diff->total.key = "total";
	diff->total.nr = diff->nr;
	diff->total.state = row_change(&diff->total) ? KMA_DIFF_CHANGED : KMA_DIFF_SAME;
	for (size_t i = 0; i < diff->nr; i++) {
		struct kma_diff_row row = diff->rows[i];

		states |= 1U << row.state;
		if (row.state == KMA_DIFF_CHANGED && !row_change(&row))
			row.state = KMA_DIFF_SAME;
		diff->rows[i] = row;
		/* first those that are shown by themselves */
		if (row_change(&row) >= floor) {
			diff->rows[i] = diff->rows[above];
			diff->rows[above++] = row;
		}
	}
	diff->disjoint = states == (1U << KMA_DIFF_NEW | 1U << KMA_DIFF_GONE);
	if (above)
		qsort(diff->rows, above, sizeof(*diff->rows), cmp_change);
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

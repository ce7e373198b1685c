// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtable-diff.c - the rows that differ between two tables of the module of the same kind. The
 * rows of both tables are sorted by their keys and merged, then the pairs that differ are sorted by
 * the change of the most important column.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "modtable-diff.h"

/*
 * The columns that identify a row. KMA_MODTABLE_LIVE has none: its rows are objects with addresses.
 */
static const char *const modtable_key_names[KMA_NR_MODTABLES][KMA_MODTABLE_KEYS] = {
	[KMA_MODTABLE_SITES] = { "caller", "cache", "build_id" },
	[KMA_MODTABLE_AGES] = { "caller" },
	[KMA_MODTABLE_PINNED] = { "caller" },
	[KMA_MODTABLE_CACHES] = { "cache" },
	[KMA_MODTABLE_CGROUPS] = { "caller", "path", "cgroup" },
	[KMA_MODTABLE_NODES] = { "caller", "node" },
	[KMA_MODTABLE_STATS] = { "key" },
	[KMA_MODTABLE_ERRORS] = { "error", "first_caller", "now_caller" },
};

/* A row with the means to compare it with others. */
struct kma_modtable_row {
	const struct kma_modtable *table;
	int keys[KMA_MODTABLE_KEYS]; /* columns of @table that identify the row, or -1 */
	size_t row;		     /* its index */
};

static int modtable_row_order(const struct kma_modtable_row *x, const struct kma_modtable_row *y)
{
	for (size_t i = 0; i < KMA_MODTABLE_KEYS; i++) {
		int order = x->keys[i] < 0 || y->keys[i] < 0 ?
				    0 :
				    strcmp(kma_modtable_cell(x->table, x->row, x->keys[i]),
					   kma_modtable_cell(y->table, y->row, y->keys[i]));

		if (order)
			return order;
	}
	return 0;
}

static int modtable_row_compare(const void *a, const void *b)
{
	const struct kma_modtable_row *x = a, *y = b;
	int order = modtable_row_order(x, y);

	return order ?: (x->row > y->row) - (x->row < y->row);
}

/*
 * Sort the rows of a table by their keys, and rows with the same keys by their order in the table.
 */
static struct kma_modtable_row *modtable_rows(const struct kma_modtable *table)
{
	const char *const *names = modtable_key_names[table->id];
	struct kma_modtable_row *rows = kma_xcalloc(table->nr + 1, sizeof(*rows));

	for (size_t i = 0; i < table->nr; i++) {
		rows[i] = (struct kma_modtable_row){ .table = table, .row = i };
		for (size_t k = 0; k < KMA_MODTABLE_KEYS; k++)
			rows[i].keys[k] = names[k] ? kma_modtable_column(table, names[k]) : -1;
	}
	if (table->nr)
		qsort(rows, table->nr, sizeof(*rows), modtable_row_compare);
	return rows;
}

bool kma_modtable_diff_change(const struct kma_modtable_diff *diff,
			      const struct kma_modtable_pair *pair, size_t column, int64_t *ret)
{
	uint64_t before = 0, after = 0;
	bool known = false;

	if (pair->before != KMA_MODTABLE_NONE && diff->old[column] >= 0)
		known |= kma_modtable_number(
			kma_modtable_cell(diff->before, pair->before, diff->old[column]), &before);
	if (pair->after != KMA_MODTABLE_NONE)
		known |= kma_modtable_number(kma_modtable_cell(diff->after, pair->after, column),
					     &after);
	*ret = after - before;
	return known;
}

/* The column by whose change pairs are sorted: the first of these that the table has. */
static size_t modtable_diff_main(const struct kma_modtable_diff *diff)
{
	static const char *const names[] = { "total", "bytes", "live", "count", "value" };
	int column = -1;

	for (size_t i = 0; i < ARRAY_SIZE(names) && column < 0; i++)
		column = kma_modtable_column(diff->after, names[i]);
	return column < 0 ? 0 : column;
}

static bool modtable_diff_differs(const struct kma_modtable_diff *diff,
				  const struct kma_modtable_pair *pair)
{
	int64_t change;

	if (pair->before == KMA_MODTABLE_NONE || pair->after == KMA_MODTABLE_NONE)
		return true;
	for (size_t c = 0; c < diff->after->nr_columns; c++)
		if (kma_modtable_kind(diff->after, c) != KMA_MODTABLE_TEXT &&
		    kma_modtable_diff_change(diff, pair, c, &change) && change)
			return true;
	return false;
}

static int modtable_diff_compare(const void *a, const void *b, void *arg)
{
	const struct kma_modtable_diff *diff = arg;
	size_t column = modtable_diff_main(diff);
	int64_t x, y;

	kma_modtable_diff_change(diff, a, column, &x);
	kma_modtable_diff_change(diff, b, column, &y);
	return llabs(x) != llabs(y) ? (llabs(x) < llabs(y) ? 1 : -1) : 0;
}

static void modtable_diff_pairs(struct kma_modtable_diff *diff)
{
	_cleanup_free_ struct kma_modtable_row *old = NULL, *new = NULL;
	size_t i = 0, j = 0;

	old = modtable_rows(diff->before);
	new = modtable_rows(diff->after);
	diff->pairs = kma_xcalloc(diff->before->nr + diff->after->nr + 1, sizeof(*diff->pairs));
	while (i < diff->before->nr || j < diff->after->nr) {
		struct kma_modtable_pair pair = { KMA_MODTABLE_NONE, KMA_MODTABLE_NONE };
		int order = i == diff->before->nr ? 1 :
			    j == diff->after->nr  ? -1 :
						    modtable_row_order(&old[i], &new[j]);

		if (order <= 0)
			pair.before = old[i++].row;
		if (order >= 0)
			pair.after = new[j++].row;
		if (modtable_diff_differs(diff, &pair))
			diff->pairs[diff->nr++] = pair;
		else
			diff->same++;
	}
	if (diff->nr)
		qsort_r(diff->pairs, diff->nr, sizeof(*diff->pairs), modtable_diff_compare, diff);
}

struct kma_err *kma_modtable_diff(const struct kma_modtable *before,
				  const struct kma_modtable *after, struct kma_modtable_diff *ret)
{
	const char *const *names = modtable_key_names[after->id];

	*ret = (struct kma_modtable_diff){ .before = before, .after = after };
	if (before->id != after->id)
		return kma_err_create(
			NULL, 0,
			"cannot compare table '%s' with table '%s'; name two files of one table",
			kma_modtable_names[before->id], kma_modtable_names[after->id]);
	if (!names[0])
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"cannot compare table '%s': only addresses identify its rows, and the kernel reuses addresses",
			kma_modtable_names[after->id]);
	for (size_t k = 0; k < KMA_MODTABLE_KEYS; k++)
		ret->keys[k] = names[k] ? kma_modtable_column(after, names[k]) : -1;
	for (size_t c = 0; c < after->nr_columns; c++)
		ret->old[c] = kma_modtable_column(before, after->columns[c]);
	modtable_diff_pairs(ret);
	return NULL;
}

void kma_modtable_diff_deinit(struct kma_modtable_diff *diff)
{
	free(diff->pairs);
	*diff = (struct kma_modtable_diff){ 0 };
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable.h - a table of the module with its own columns: ages, live, pinned, caches, cgroups,
 * nodes, errors, sites and stats (Documentation/ABI/testing/debugfs-kmem_account). An account has
 * the numbers that all kinds of inputs have; a table has those that only its file has.
 *
 * A cell is a text as the module wrote it: a pointer into the text of the file, which the reader
 * has cut into terminated pieces. So a cell takes 8 bytes in addition to its text, and is not
 * copied. Columns are found by name, so columns that a later module appends need no change here.
 */
#ifndef KMA_MODEL_MODTABLE_H
#define KMA_MODEL_MODTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

enum kma_modtable_id {
	KMA_MODTABLE_SITES,
	KMA_MODTABLE_AGES,
	KMA_MODTABLE_LIVE,
	KMA_MODTABLE_PINNED,
	KMA_MODTABLE_CACHES,
	KMA_MODTABLE_CGROUPS,
	KMA_MODTABLE_NODES,
	KMA_MODTABLE_STATS,
	KMA_MODTABLE_ERRORS,
	KMA_NR_MODTABLES,
};

/* Names of the tables, which are those of their files. */
extern const char *const kma_modtable_names[KMA_NR_MODTABLES];

#define KMA_MODTABLE_COLUMNS 72 /* largest number of columns */

struct kma_modtable {
	enum kma_modtable_id id;
	char *text;   /* contains the cells; owned by the table */
	char *joined; /* contains the cells of columns from another file; NULL: there are none */
	const char *columns[KMA_MODTABLE_COLUMNS]; /* names */
	size_t nr_columns;
	const char **cells; /* row by row, @nr_columns each */
	size_t nr, room;    /* number of rows; number of allocated cells */
};

/* How the cells of a column are shown and compared. */
enum kma_modtable_kind {
	KMA_MODTABLE_TEXT,
	KMA_MODTABLE_COUNT,
	KMA_MODTABLE_BYTES,
	KMA_MODTABLE_NS,
};

/* @table may be zeroed, and is zeroed afterwards. */
void kma_modtable_deinit(struct kma_modtable *table);

/* The index of a column; -1 if there is none. */
int kma_modtable_column(const struct kma_modtable *table, const char *name);

/*
 * Adds a row of @table->nr_columns cells, which are not copied and must live as long as the table.
 */
void kma_modtable_add(struct kma_modtable *table, const char *const *cells);

static inline const char *kma_modtable_cell(const struct kma_modtable *table, size_t row,
					    size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

/*
 * The kind of a column, by its name. Columns with unknown names are counts, or ns if their names
 * end in "_ns".
 */
enum kma_modtable_kind kma_modtable_kind(const struct kma_modtable *table, size_t column);

/* False if the number is unknown ("-"), or the text is not a decimal number of 64 bits. */
bool kma_modtable_number(const char *cell, uint64_t *ret);

#endif /* KMA_MODEL_MODTABLE_H */

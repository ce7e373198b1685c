/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable.h - a table of the module with its own columns: ages, live, pinned, caches, cgroups, nodes,
 * errors, sites and stats (Documentation/ABI/testing/debugfs-kmem_account). An account has the
 * numbers that all inputs share; a table has what only its file has.
 *
 * Cells are texts, as the module wrote them, all of which lie in one text.
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

/* Their names, as the files have them. */
extern const char *const kma_modtable_names[KMA_NR_MODTABLES];

#define KMA_MODTABLE_COLUMNS 72

struct kma_modtable {
	enum kma_modtable_id id;
	char *text;   /* in which the cells lie */
	char *joined; /* in which those of another file lie; NULL: there are none */
	const char *columns[KMA_MODTABLE_COLUMNS];
	size_t nr_columns;
	const char **cells; /* row by row */
	size_t nr, room;    /* rows; cells that there is room for */
};

/* What a cell is. */
enum kma_modtable_kind {
	KMA_MODTABLE_TEXT,
	KMA_MODTABLE_COUNT,
	KMA_MODTABLE_BYTES,
	KMA_MODTABLE_NS,
};

/**
 * kma_modtable_deinit() - free all
 * @table: zeroed, or filled in
 */
void kma_modtable_deinit(struct kma_modtable *table);

/**
 * kma_modtable_column() - find a column
 * @table: a table
 * @name: of the column
 *
 * Return: its number, or -1.
 */
int kma_modtable_column(const struct kma_modtable *table, const char *name);

/**
 * kma_modtable_add() - add a row
 * @table: its columns are set
 * @cells: as many as there are columns; the texts stay where they are
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_modtable_add(struct kma_modtable *table, const char *const *cells);

/**
 * kma_modtable_cell() - a cell
 * @table: a table
 * @row: number of the row
 * @column: number of the column
 *
 * Return: its text.
 */
static inline const char *kma_modtable_cell(const struct kma_modtable *table, size_t row,
					    size_t column)
{
	return table->cells[row * table->nr_columns + column];
}

/**
 * kma_modtable_kind() - what the cells of a column are
 * @table: a table
 * @column: number of the column
 *
 * Return: the kind.
 */
enum kma_modtable_kind kma_modtable_kind(const struct kma_modtable *table, size_t column);

/**
 * kma_modtable_number() - a cell as a number
 * @cell: text of a cell whose kind is not a text
 * @ret: the number
 *
 * Return: false if it is not known ("-"), or no decimal number.
 */
bool kma_modtable_number(const char *cell, uint64_t *ret);

#endif /* KMA_MODEL_MODTABLE_H */

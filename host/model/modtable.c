// SPDX-License-Identifier: GPL-2.0-only
/*
 * modtable.c - a table of the module with its own columns.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "modtable.h"

const char *const kma_modtable_names[KMA_NR_MODTABLES] = {
	[KMA_MODTABLE_SITES] = "sites",	  [KMA_MODTABLE_AGES] = "ages",
	[KMA_MODTABLE_LIVE] = "live",	  [KMA_MODTABLE_PINNED] = "pinned",
	[KMA_MODTABLE_CACHES] = "caches", [KMA_MODTABLE_CGROUPS] = "cgroups",
	[KMA_MODTABLE_NODES] = "nodes",	  [KMA_MODTABLE_STATS] = "stats",
	[KMA_MODTABLE_ERRORS] = "errors",
};

void kma_modtable_deinit(struct kma_modtable *table)
{
	free(table->text);
	free(table->joined);
	free(table->cells);
	*table = (struct kma_modtable){ 0 };
}

int kma_modtable_column(const struct kma_modtable *table, const char *name)
{
	for (size_t i = 0; i < table->nr_columns; i++)
		if (!strcmp(table->columns[i], name))
			return i;
	return -1;
}

void kma_modtable_add(struct kma_modtable *table, const char *const *cells)
{
	size_t at = table->nr * table->nr_columns;

	if (at + table->nr_columns > table->room) {
		size_t room = (table->room + table->nr_columns) * 2;
		const char **more = kma_xrealloc(table->cells, room, sizeof(*more));

		table->cells = more;
		table->room = room;
	}
	memcpy(table->cells + at, cells, table->nr_columns * sizeof(*cells));
	table->nr++;
}

enum kma_modtable_kind kma_modtable_kind(const struct kma_modtable *table, size_t column)
{
	/* Cells of other columns that are not numbers are shown unchanged. */
	static const char *const texts[] = {
		"id",	  "site",     "address", "caller", "cache",	   "kind",	 "file",
		"offset", "build_id", "stack",	 "cgroup", "node",	   "cpu",	 "path",
		"error",  "given",    "first",	 "now",	   "first_caller", "now_caller", "key"
	};
	static const char *const bytes[] = { "total",	   "slack",	 "req",	     "all_total",
					     "all_req",	   "peak",	 "peak_max", "own",
					     "used",	   "size",	 "bytes",    "requested",
					     "sole_total", "object_size" };
	const char *name = table->columns[column];
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!strcmp(name, texts[i]))
			return KMA_MODTABLE_TEXT;
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++)
		if (!strcmp(name, bytes[i]))
			return KMA_MODTABLE_BYTES;
	/* The column "live" has bytes in the table pinned, and objects in other tables. */
	if (table->id == KMA_MODTABLE_PINNED && !strcmp(name, "live"))
		return KMA_MODTABLE_BYTES;
	return len > 3 && !strcmp(name + len - 3, "_ns") ? KMA_MODTABLE_NS : KMA_MODTABLE_COUNT;
}

bool kma_modtable_number(const char *cell, uint64_t *ret)
{
	char *end;

	if (*cell < '0' || *cell > '9')
		return false;
	errno = 0;
	*ret = strtoull(cell, &end, 10);
	return !errno && !*end;
}

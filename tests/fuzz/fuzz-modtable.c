// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of the module with their own columns: files and snapshots. The first byte says which one
 * is wanted.
 */
#include <stdlib.h>
#include <string.h>

#include "model/modtable-diff.h"
#include "reader/modtable.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A row has a cell for each column, and is like itself. */
static void kma_fuzz_table(const struct kma_modtable *table)
{
	struct kma_modtable_diff diff;
	struct kma_err *err = kma_modtable_diff(table, table, &diff);
	size_t chars = 0;

	for (size_t i = 0; i < table->nr * table->nr_columns; i++)
		chars += strlen(table->cells[i]);
	if ((!err && (diff.nr || diff.same != table->nr)) || chars == SIZE_MAX)
		abort();
	kma_modtable_diff_deinit(&diff);
	kma_err_destroy(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_modtable table;
	struct kma_err *err;
	char *text;

	if (!size)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	if (!text)
		abort();
	err = kma_modtable_parse("fuzz", text, *data % (KMA_NR_MODTABLES + 1), NULL, &table);
	if (!err)
		kma_fuzz_table(&table);
	kma_err_destroy(err);
	kma_modtable_deinit(&table);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable-text.h - write a table of the module, or the changes between two, as sheets.
 */
#ifndef KMA_CLI_MODTABLE_TEXT_H
#define KMA_CLI_MODTABLE_TEXT_H

#include "lib/strbuf.h"
#include "model/modtable-diff.h"
#include "session/options.h"

/**
 * kma_modtable_write() - write a table with its own columns
 * @table: a table
 * @opts: options of the document: format, top, bytes, csv_safe
 * @out: the document is appended
 */
void kma_modtable_write(const struct kma_modtable *table, const struct kma_options *opts,
			struct kma_strbuf *out);

/**
 * kma_modtable_diff_write() - write the changes between two tables
 * @diff: from kma_modtable_diff()
 * @opts: options of the document: format, top, bytes, csv_safe
 * @out: the document is appended
 *
 * Each row has its names, whether it is new or gone, and the changes of its numbers.
 */
void kma_modtable_diff_write(const struct kma_modtable_diff *diff, const struct kma_options *opts,
			     struct kma_strbuf *out);

#endif /* KMA_CLI_MODTABLE_TEXT_H */

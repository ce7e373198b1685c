/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable-text.h - a table of the module, and what changed between two, as sheets.
 */
#ifndef KMA_CLI_MODTABLE_TEXT_H
#define KMA_CLI_MODTABLE_TEXT_H

#include "lib/strbuf.h"
#include "model/modtable-diff.h"
#include "session/options.h"

/**
 * kma_modtable_write() - write a table with its own columns
 * @table: a table
 * @opts: format, top and the like
 * @out: appended to
 */
void kma_modtable_write(const struct kma_modtable *table, const struct kma_options *opts,
			struct kma_strbuf *out);

/**
 * kma_modtable_diff_write() - write what changed
 * @diff: of kma_modtable_diff()
 * @opts: format, top and the like
 * @out: appended to
 *
 * A row has its names, whether it is new or gone, and the changes of its numbers.
 */
void kma_modtable_diff_write(const struct kma_modtable_diff *diff, const struct kma_options *opts,
			     struct kma_strbuf *out);

#endif /* KMA_CLI_MODTABLE_TEXT_H */

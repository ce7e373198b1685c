/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd-table.h - tables of the module, for commands whose input turns out to be one.
 */
#ifndef KMA_CLI_CMD_TABLE_H
#define KMA_CLI_CMD_TABLE_H

#include "cmd.h"
#include "model/modtable.h"
#include "open/open.h"
#include "rows.h"

/*
 * Writes a table of an opened input, or the changes between two. @wanted: the table, or
 * KMA_NR_MODTABLES: the one that each input is. Returns the exit status.
 */
int kma_table_show(const struct kma_text_options *opts, enum kma_modtable_id wanted,
		   struct kma_series *const *inputs, size_t nr);

#endif /* KMA_CLI_CMD_TABLE_H */

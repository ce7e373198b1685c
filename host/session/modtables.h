/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtables.h - from a name to a table of the module with its own columns (model/modtable.h): a file of
 * the module, a snapshot, a bundle, a snapshot of a DB file.
 *
 * A file whose rows have numbers of call sites is joined with the file "sites" beside it, if there is
 * one: both are of one moment where nobody has allocated in between, and numbers of call sites stay
 * the same until the account begins anew.
 */
#ifndef KMA_SESSION_MODTABLES_H
#define KMA_SESSION_MODTABLES_H

#include "model/modtable.h"
#include "options.h"

/**
 * kma_modtable_load() - read a table
 * @opts: @opts->table, if it is given
 * @input: name of the input: PATH, or FILE@LABEL of a DB file
 * @ret: filled in; to be given to kma_modtable_deinit() in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_modtable_load(const struct kma_options *opts, const char *input,
				  struct kma_modtable *ret);

#endif /* KMA_SESSION_MODTABLES_H */

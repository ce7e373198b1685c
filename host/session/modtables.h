/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtables.h - load a table of the module with its own columns (model/modtable.h).
 *
 * The input is a file of the module, a snapshot, a bundle, or a snapshot in a DB file. If the rows
 * of a file have numbers of call sites, they get the texts from the file "sites" in the same
 * directory, if it exists. The two files may have been read at different moments; the number of a
 * call site stays the same until the account is cleared.
 */
#ifndef KMA_SESSION_MODTABLES_H
#define KMA_SESSION_MODTABLES_H

#include "model/modtable.h"
#include "options.h"

/**
 * kma_modtable_refuse() - say that a history has no tables of the module
 * @path: an input
 *
 * Return: NULL if @path is not the directory of a history; otherwise an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_modtable_refuse(const char *path);

/**
 * kma_modtable_load() - read a table
 * @opts: options: table, with has_table
 * @input: PATH, or FILE@LABEL of a DB file
 * @ret: filled in; has to be freed by kma_modtable_deinit() also after an error
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_modtable_load(const struct kma_options *opts, const char *input,
				  struct kma_modtable *ret);

#endif /* KMA_SESSION_MODTABLES_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable.h - the tables of the module with their own columns (model/modtable.h), out of its files and
 * out of snapshots, which have all tables of one moment.
 *
 * Rows that have the number of a call site, and not its name, get a column caller: from the table
 * sites of the same snapshot, or from another file that is said to be of the same moment.
 */
#ifndef KMA_READER_MODTABLE_H
#define KMA_READER_MODTABLE_H

#include "input/input.h"
#include "lib/strbuf.h"
#include "model/modtable.h"

/**
 * kma_modtable_is_only() - is a file a table, and no account?
 * @path: of the input; NULL: none
 *
 * Return: true of a plain file that is ages, live, pinned, stats or errors.
 */
bool kma_modtable_is_only(const char *path);

/**
 * kma_modtable_slurp() - read an input as one text
 * @input: nothing was taken of it yet
 * @ret: the text is appended
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_modtable_slurp(struct kma_input *input, struct kma_strbuf *ret);

/**
 * kma_modtable_parse() - find a table in a text
 * @name: of the input, for messages
 * @text: of a file of the module, or of a snapshot; the table takes it, also in an error
 * @wanted: the table; KMA_NR_MODTABLES: the one that the file is
 * @sites: NULL, or the table sites of the same moment, for a text that has none
 * @ret: filled in; to be given to kma_modtable_deinit() in any case
 *
 * Return: NULL; or an error: no such table, damaged, or @sites are of another moment.
 */
struct kma_err *kma_modtable_parse(const char *name, char *text, enum kma_modtable_id wanted,
				   const struct kma_modtable *sites, struct kma_modtable *ret);

#endif /* KMA_READER_MODTABLE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtable.h - read a table of the module with its own columns (model/modtable.h), from one of the
 * module's files or from a snapshot, which has all tables of one moment.
 *
 * Some tables identify a call site only by a number. They get one more column, caller. Its names
 * come from table sites of the same snapshot, or from another file that the user says is from the
 * same moment. If a row already has a name, the two must agree; otherwise the files are refused.
 */
#ifndef KMA_READER_MODTABLE_H
#define KMA_READER_MODTABLE_H

#include "input/input.h"
#include "lib/strbuf.h"
#include "model/modtable.h"

/* Is a file that begins with @head a table that cannot be read as an account? */
bool kma_modtable_is_only(const char *head, size_t len);

/*
 * Appends the whole input, of which nothing was consumed, as one text. A binary file is an error.
 */
struct kma_err *kma_modtable_slurp(struct kma_input *input, struct kma_strbuf *ret);

/**
 * kma_modtable_parse() - find a table in a text
 * @name: name of the input, for messages
 * @text: content of a file of the module, or of a snapshot, on the heap. @ret owns it from now on,
 *	also after an error
 * @wanted: the table; KMA_NR_MODTABLES: the one that the file is
 * @sites: table sites of the same moment, for a text that is not a snapshot; NULL: none
 * @ret: the table; for kma_modtable_deinit() in any case
 *
 * Return: NULL, or an error: the text has no such table or is corrupt, or @sites are of another
 * moment.
 */
struct kma_err *kma_modtable_parse(const char *name, char *text, enum kma_modtable_id wanted,
				   const struct kma_modtable *sites, struct kma_modtable *ret);

#endif /* KMA_READER_MODTABLE_H */

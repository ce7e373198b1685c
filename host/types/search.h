/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * search.h - the table of types of a kernel, in the places where kmem-account types or a person puts it.
 */
#ifndef KMA_TYPES_SEARCH_H
#define KMA_TYPES_SEARCH_H

#include "lib/notes.h"
#include "table.h"

/* The path in the configuration directory; NULL if there is none. @make: make its directories. */
char *kma_types_home(const char *build_id, bool make);

/**
 * kma_types_search() - read the table of types of a kernel
 * @vmlinux: file beside which a table may be; NULL: there is none
 * @build_id: of the kernel, hexadecimal digits
 * @notes: a note is added for each table that is there, but damaged or of another kernel
 * @types: empty; filled in if a table was found
 *
 * The first one counts of FILE.kmt and types.kmt beside FILE, the one in the configuration directory
 * and the one of a package.
 *
 * Return: the path, to be freed; NULL if there is no table.
 */
char *kma_types_search(const char *vmlinux, const char *build_id, struct kma_notes *notes,
		       struct kma_types *types);

#endif /* KMA_TYPES_SEARCH_H */

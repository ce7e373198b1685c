/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * helpers.h - functions that allocate for their callers. A report that alloc_inode() holds 40 MiB
 * is of little use, because each filesystem calls it: the owner is a function further out on the
 * stack.
 */
#ifndef KMA_MODEL_HELPERS_H
#define KMA_MODEL_HELPERS_H

#include <stdbool.h>
#include <stddef.h>

/* Name within a list that stands for the built-in list. */
#define KMA_HELPERS_DEFAULT "default"

/*
 * Is a text a list of helpers: names of functions, separated by commas, with or without
 * KMA_HELPERS_DEFAULT among them? A "*" at the end of a name matches any suffix.
 */
bool kma_helpers_valid(const char *list);

/*
 * Does a valid list (NULL: empty) have the symbol of a function? Suffixes of the compiler (.isra.0,
 * .cold) are ignored.
 */
bool kma_helpers_has(const char *list, const char *function);

#endif /* KMA_MODEL_HELPERS_H */

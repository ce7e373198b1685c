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

/**
 * kma_helpers_valid() - check a list of helpers
 * @list: names of functions, separated by commas, with KMA_HELPERS_DEFAULT among them or not;
 *	a "*" at the end of a name matches any suffix
 *
 * Return: false if the list is invalid.
 */
bool kma_helpers_valid(const char *list);

/**
 * kma_helpers_has() - check whether a function is a helper
 * @list: valid, see kma_helpers_valid(); NULL: empty
 * @function: name of its symbol; suffixes of the compiler (.isra.0, .cold) are ignored
 *
 * Return: true if @list contains it.
 */
bool kma_helpers_has(const char *list, const char *function);

#endif /* KMA_MODEL_HELPERS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name-pattern.h - what the names of many objects have in common: "*" in place of digits and hashes.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_NAME_PATTERN_H
#define KMA_HEAP_NAME_PATTERN_H

#include "lib/strbuf.h"
#include "name-types.h"

/* Appends a text with "*" for digits and hashes. */
void kma_name_pattern(const char *text, struct kma_strbuf *out);

/*
 * Appends the keys of an object, each with its terminator, as a row of its type has them: those that
 * are not exact become patterns.
 */
void kma_name_keys(const struct kma_name_type *type, const char *key, struct kma_strbuf *out);

#endif /* KMA_HEAP_NAME_PATTERN_H */

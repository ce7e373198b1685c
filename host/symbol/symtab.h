/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symtab.h - symbols of code, by name and by address.
 *
 * The kernel's %pS does not know the sizes of symbols. It prints the distance to the next different
 * address in kallsyms. This distance, the span, is computed here in the same way: two static
 * functions with the same name can be distinguished by it. Several symbols may have one name, or
 * one address (aliases).
 *
 * A table is filled, finished once, and only read from then on. It has two sorted arrays, by
 * address and by name, which are searched binarily: 40 bytes for each symbol, and its name.
 */
#ifndef KMA_SYMBOL_SYMTAB_H
#define KMA_SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_symbol {
	const char *name; /* valid as long as the table */
	uint64_t addr;	  /* first byte */
	uint64_t size;	  /* bytes, st_size; 0 if the source of the symbols has no sizes */
	uint64_t span;	  /* bytes up to the next different address, as in %pS */
};

struct kma_symtab;

void kma_symtab_create(struct kma_symtab **ret);

/* NULL is fine. */
void kma_symtab_destroy(struct kma_symtab *tab);

/*
 * Adds a symbol before kma_symtab_finish(). @size is st_size or 0. Names that kallsyms leaves out
 * (.L*, $*, __pfx_*, __cfi_*) are ignored.
 */
void kma_symtab_add(struct kma_symtab *tab, const char *name, uint64_t addr, uint64_t size);

/* The end of a section: no symbol before it extends beyond it. */
void kma_symtab_add_end(struct kma_symtab *tab, uint64_t addr);

/* Sorts the table, which can be searched from here on. */
void kma_symtab_finish(struct kma_symtab *tab);

size_t kma_symtab_count(const struct kma_symtab *tab);

/*
 * All symbols with exactly this name, ordered by address, valid as long as @tab; NULL if there are
 * none.
 */
const struct kma_symbol *const *kma_symtab_named(const struct kma_symtab *tab, const char *name,
						 size_t *nr);

/*
 * The last symbol at or before an address whose span covers it, among aliases the one that %pS
 * prints; NULL if there is none.
 */
const struct kma_symbol *kma_symtab_at(const struct kma_symtab *tab, uint64_t addr);

#endif /* KMA_SYMBOL_SYMTAB_H */

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

/**
 * kma_symtab_create() - create an empty table
 * @ret: the table
 */
void kma_symtab_create(struct kma_symtab **ret);

/**
 * kma_symtab_destroy() - free a table
 * @tab: from kma_symtab_create(); NULL is fine
 */
void kma_symtab_destroy(struct kma_symtab *tab);

/**
 * kma_symtab_add() - add a symbol
 * @tab: not finished
 * @name: copied; names that kallsyms leaves out (.L*, $*, __pfx_*, __cfi_*) are ignored
 * @addr: first byte
 * @size: st_size or 0
 */
void kma_symtab_add(struct kma_symtab *tab, const char *name, uint64_t addr, uint64_t size);

/**
 * kma_symtab_add_end() - limit the symbols before an address: none extends beyond it
 * @tab: not finished
 * @addr: end of a section
 */
void kma_symtab_add_end(struct kma_symtab *tab, uint64_t addr);

/**
 * kma_symtab_finish() - sort the table; from here on it can be searched
 * @tab: all symbols were added
 */
void kma_symtab_finish(struct kma_symtab *tab);

/**
 * kma_symtab_count() - get the number of symbols
 * @tab: finished
 *
 * Return: the number.
 */
size_t kma_symtab_count(const struct kma_symtab *tab);

/**
 * kma_symtab_named() - find all symbols with a name
 * @tab: finished
 * @name: the exact name
 * @nr: number of symbols
 *
 * Return: array of @nr pointers ordered by address, valid as long as @tab; NULL if @nr is 0.
 */
const struct kma_symbol *const *kma_symtab_named(const struct kma_symtab *tab, const char *name,
						 size_t *nr);

/**
 * kma_symtab_at() - find the symbol that covers an address
 * @tab: finished
 * @addr: any address
 *
 * Return: the last symbol at or before @addr whose span covers it, among aliases the one that %pS
 * prints; NULL if there is none.
 */
const struct kma_symbol *kma_symtab_at(const struct kma_symtab *tab, uint64_t addr);

#endif /* KMA_SYMBOL_SYMTAB_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symtab.h - symbols of code by name and by address.
 *
 * The kernel's %pS knows no symbol sizes: it prints the distance to the next
 * different address in kallsyms. That distance, the span, is computed here in
 * the same way, because with it two static functions of one name can be told
 * apart. Names may occur often, addresses too (aliases).
 */
#ifndef KMA_SYMBOL_SYMTAB_H
#define KMA_SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_symbol {
	const char *name;
	uint64_t addr;
	uint64_t size; /* st_size, 0 when the source of the symbols has none */
	uint64_t span; /* distance to the next different address, as in %pS */
};

struct kma_symtab;

/**
 * kma_symtab_create() - an empty table
 * @ret: the table
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_symtab_create(struct kma_symtab **ret);

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
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_symtab_add(struct kma_symtab *tab, const char *name, uint64_t addr,
			       uint64_t size);

/**
 * kma_symtab_add_end() - no symbol reaches beyond this address
 * @tab: not finished
 * @addr: end of a section
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_symtab_add_end(struct kma_symtab *tab, uint64_t addr);

/**
 * kma_symtab_finish() - sort; the table can be searched from here on
 * @tab: all symbols are in
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_symtab_finish(struct kma_symtab *tab);

/**
 * kma_symtab_count() - number of symbols
 * @tab: finished
 *
 * Return: how many.
 */
size_t kma_symtab_count(const struct kma_symtab *tab);

/**
 * kma_symtab_named() - all symbols of a name
 * @tab: finished
 * @name: exact
 * @nr: how many there are
 *
 * Return: array of @nr pointers ordered by address, stays with @tab; NULL when @nr is 0.
 */
const struct kma_symbol *const *kma_symtab_named(const struct kma_symtab *tab, const char *name,
						 size_t *nr);

/**
 * kma_symtab_at() - symbol that an address lies in
 * @tab: finished
 * @addr: any address
 *
 * Return: the last symbol at or before @addr whose span covers it, of aliases the one that
 * %pS prints; or NULL.
 */
const struct kma_symbol *kma_symtab_at(const struct kma_symtab *tab, uint64_t addr);

#endif /* KMA_SYMBOL_SYMTAB_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kallsyms.h - addresses of a few variables of the running kernel, or all of its symbols.
 */
#ifndef KMA_HEAP_KALLSYMS_H
#define KMA_HEAP_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"

/* A symbol that is looked up. A per-CPU variable has its offset in a CPU's area as its address. */
struct kma_kallsyms_symbol {
	const char *name;
	uint64_t addr;
	bool found;
};

/**
 * kma_kallsyms_find() - find symbols of the kernel, without modules
 * @path: /proc/kallsyms, or a file in its format
 * @symbols: addr and found of each are set; the first symbol of a name is taken
 * @nr: number of @symbols
 *
 * A name without a symbol is not an error.
 */
struct kma_err *kma_kallsyms_find(const char *path, struct kma_kallsyms_symbol *symbols, size_t nr);

struct kma_kallsyms_entry {
	uint64_t addr;
	const char *name; /* "NAME" or "NAME [MODULE]" */
};

/* All symbols of the kernel and its modules, by address. */
struct kma_kallsyms {
	struct kma_kallsyms_entry *list;
	size_t nr, room, nr_variables;
	struct kma_arena texts;
};

/**
 * kma_kallsyms_load() - read all symbols
 * @path: /proc/kallsyms, or a file in its format
 * @table: zeroed; filled in, to be freed with kma_kallsyms_deinit()
 */
struct kma_err *kma_kallsyms_load(const char *path, struct kma_kallsyms *table);

/**
 * kma_kallsyms_at() - find the symbol before an address
 * @table: the symbols
 * @addr: the address
 *
 * Return: the last symbol at or below @addr, which may be one that is far below; NULL without one.
 */
const struct kma_kallsyms_entry *kma_kallsyms_at(const struct kma_kallsyms *table, uint64_t addr);

/**
 * kma_kallsyms_value() - find a symbol of the kernel by name
 * @table: the symbols
 * @name: the name
 * @ret: set to its address
 *
 * Return: true if there is such a symbol.
 */
bool kma_kallsyms_value(const struct kma_kallsyms *table, const char *name, uint64_t *ret);

/**
 * kma_kallsyms_has_variables() - check whether the symbols are not only those of functions
 * @table: the symbols
 *
 * Return: false for a kernel without CONFIG_KALLSYMS_ALL, whose symbols have hardly a variable.
 */
bool kma_kallsyms_has_variables(const struct kma_kallsyms *table);

/**
 * kma_kallsyms_deinit() - free symbols
 * @table: zeroed, or as filled in
 */
void kma_kallsyms_deinit(struct kma_kallsyms *table);

#endif /* KMA_HEAP_KALLSYMS_H */

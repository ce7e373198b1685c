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

/*
 * Sets addr and found of each symbol, by a file in the format of /proc/kallsyms, without modules.
 * The first symbol of a name is taken; a name without a symbol is not an error.
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

/* Reads all symbols from a file in the format of /proc/kallsyms. @table is zeroed. */
struct kma_err *kma_kallsyms_load(const char *path, struct kma_kallsyms *table);

/* The last symbol at or below an address, which may be far below it; NULL without one. */
const struct kma_kallsyms_entry *kma_kallsyms_at(const struct kma_kallsyms *table, uint64_t addr);

/* The address of a symbol by its name; false if there is none. */
bool kma_kallsyms_value(const struct kma_kallsyms *table, const char *name, uint64_t *ret);

/*
 * False for a kernel without CONFIG_KALLSYMS_ALL, whose symbols are functions, with hardly a
 * variable.
 */
bool kma_kallsyms_has_variables(const struct kma_kallsyms *table);

/* @table may be zeroed. */
void kma_kallsyms_deinit(struct kma_kallsyms *table);

#endif /* KMA_HEAP_KALLSYMS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kallsyms.h - addresses of a few variables of the running kernel.
 */
#ifndef KMA_HEAP_KALLSYMS_H
#define KMA_HEAP_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * Return: NULL; or an error: the file cannot be read. A name without a symbol is not an error.
 */
struct kma_err *kma_kallsyms_find(const char *path, struct kma_kallsyms_symbol *symbols, size_t nr);

#endif /* KMA_HEAP_KALLSYMS_H */

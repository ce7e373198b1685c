/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - which source file a function or a variable of a linked kernel was compiled
 * from, by its address, as the debugging information says.
 *
 * For images whose objects hold no code: with link-time optimisation the code is made
 * when the kernel is linked, and this is all that still knows where it came from. What
 * gcc's puts into units of its own ("<artificial>") refers to the unit it was in before.
 */
#ifndef KMA_SYMBOL_UNITS_H
#define KMA_SYMBOL_UNITS_H

#include <stdint.h>

#include "lib/err.h"

struct kma_units;

/**
 * kma_units_create() - read the debugging information of a linked kernel
 * @path: vmlinux
 * @ret: what begins where; NULL when there is no debugging information
 *
 * All of its entries are read, in one thread.
 *
 * Return: NULL; or an error that names @path: it cannot be opened or read.
 */
struct kma_err *kma_units_create(const char *path, struct kma_units **ret);

/**
 * kma_units_destroy() - forget it
 * @units: from kma_units_create(); NULL is fine
 */
void kma_units_destroy(struct kma_units *units);

/**
 * kma_units_file() - the main file of the unit that something was compiled in
 * @units: the kernel
 * @addr: address of a function, of a part of it that lies elsewhere, or of a variable
 *
 * Return: its name from the top of the source, which stays with @units; NULL when nothing
 * begins at @addr.
 */
const char *kma_units_file(const struct kma_units *units, uint64_t addr);

#endif /* KMA_SYMBOL_UNITS_H */

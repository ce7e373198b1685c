/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * units.h - which source file a function or a variable of a linked kernel was compiled from, by its
 * first address, according to the debugging information.
 *
 * For kernels with link-time optimisation: their objects have no code, which is generated when the
 * kernel is linked, so only the debugging information knows where the code came from. gcc puts
 * such code into units of its own ("<artificial>"), whose entries refer to the original unit; these
 * references are followed.
 *
 * Units that are corrupt, or that are not in the file, are counted: symbols in them have no file.
 *
 * All entries are read in one thread; extents.h is the faster way for kernels without link-time
 * optimisation. An address takes 16 bytes, and is searched binarily.
 */
#ifndef KMA_SYMBOL_UNITS_H
#define KMA_SYMBOL_UNITS_H

#include <stdint.h>

#include "lib/err.h"

struct kma_units;

/**
 * kma_units_create() - read the debugging information of a linked kernel
 * @path: vmlinux
 * @ret: the addresses and their units; NULL if the file has no debugging information
 *
 * Return: NULL, or an error that names @path if it cannot be opened or read.
 */
struct kma_err *kma_units_create(const char *path, struct kma_units **ret);

/**
 * kma_units_destroy() - free the addresses and units
 * @units: from kma_units_create(); NULL is fine
 */
void kma_units_destroy(struct kma_units *units);

/**
 * kma_units_file() - get the main file of the unit that a function or variable was compiled in
 * @units: the kernel
 * @addr: first address of a function, of a separate part of a function, or of a variable
 *
 * Return: its name relative to the top of the source, valid as long as @units; NULL if nothing
 * begins at @addr.
 */
const char *kma_units_file(const struct kma_units *units, uint64_t addr);

/**
 * kma_units_missing() - count the units that could not be read
 * @units: the kernel
 *
 * Return: number of units that are corrupt or not in the file, plus one if a corrupt unit hides
 * itself and all units after it.
 */
uint64_t kma_units_missing(const struct kma_units *units);

#endif /* KMA_SYMBOL_UNITS_H */

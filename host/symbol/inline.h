/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline.h - the source line of an instruction, and the functions that were inlined there: the
 * answers of addr2line -i, from a table.
 *
 * The table is built by one walk over all entries of the debugging information (inline-build.c).
 * It is then kept in the cache directory under the file's build ID (inline.c). The bytes in
 * memory and in the file are the same (inline-table.h): arrays of 32-bit numbers that are searched
 * in place. Opening a stored table therefore costs a mapping and a checksum, and a look-up two
 * binary searches. Addresses are those of image.h.
 *
 * A finished table never changes, so several threads may search it.
 */
#ifndef KMA_SYMBOL_INLINE_H
#define KMA_SYMBOL_INLINE_H

#include "image.h"
#include "inline-frame.h"

struct kma_inlines;

/**
 * kma_inlines_create() - get the table of a file, from the cache or by building it
 * @image: the file; has debugging information
 * @ret: the table, which does not need @image any longer
 *
 * A stored table is used if its checksum, its version, and the size and build ID of its file are
 * right. Otherwise the table is built, without a message, and stored if that is possible.
 *
 * Return: NULL, or an error that names the file if libdw cannot read it.
 */
struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret);

/**
 * kma_inlines_destroy() - free or unmap the table
 * @tab: from kma_inlines_create(); NULL is fine
 */
void kma_inlines_destroy(struct kma_inlines *tab);

/**
 * kma_inlines_at() - get the chain of functions at an instruction
 * @tab: the table
 * @addr: any byte of the instruction; for a call site, the byte before the return address
 * @frames: filled in, innermost first; texts are valid as long as @tab
 * @unit: main file of the compilation unit, valid as long as @tab; NULL if 0 is returned
 *
 * Return: number of frames, at most KMA_FRAMES_MAX; 0 if no unit covers the address.
 */
unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit);

/**
 * kma_inlines_units() - get the number of compilation units
 * @tab: the table
 *
 * Return: the number.
 */
size_t kma_inlines_units(const struct kma_inlines *tab);

/**
 * kma_inlines_kept() - test whether the table was read from the cache
 * @tab: the table
 *
 * Return: true if it was, false if it was built.
 */
bool kma_inlines_kept(const struct kma_inlines *tab);

/**
 * kma_inlines_lost() - get the number of entries that the table does not contain
 * @tab: the table
 *
 * Return: number of ranges that lie in no section of code or are nested too deep, and of units that
 * could not be read.
 */
uint64_t kma_inlines_lost(const struct kma_inlines *tab);

/**
 * kma_inlines_missing() - test for debugging information that could not be read
 * @tab: the table
 *
 * A table with missing parts is not stored: they may be present next time.
 *
 * Return: 0 if all was read. Otherwise the number of units whose split file (.dwo) was not found,
 * plus one if a corrupt unit hides itself and all units after it.
 */
uint64_t kma_inlines_missing(const struct kma_inlines *tab);

#endif /* KMA_SYMBOL_INLINE_H */

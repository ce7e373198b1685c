/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline.h - which source line an instruction comes from, and through which functions
 * that were inlined: the answers of addr2line -i, from a table.
 *
 * The table is made by one walk over all entries of the debugging information, and kept
 * below the cache folder under the build ID (inline-cache.c). It is the same bytes in
 * memory and in the file: arrays of 32-bit numbers that are searched where they lie, so
 * that a kept one costs a mapping and a checksum. Documentation/format/inlines.rst has
 * them. Addresses are those of image.h.
 */
#ifndef KMA_SYMBOL_INLINE_H
#define KMA_SYMBOL_INLINE_H

#include "image.h"
#include "inline-frame.h"

struct kma_inlines;

/**
 * kma_inlines_create() - have the table of a file, kept or made
 * @image: the file; has debugging information
 * @ret: the table; does not need @image any longer
 *
 * A table that was kept is used when its checksum, its version and the file it was made
 * of are right. In any other case it is made anew, in silence, and kept if that is
 * possible.
 *
 * Return: NULL; or an error that names the file when libdw cannot read it.
 */
struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret);

/**
 * kma_inlines_destroy() - forget it
 * @tab: from kma_inlines_create(); NULL is fine
 */
void kma_inlines_destroy(struct kma_inlines *tab);

/**
 * kma_inlines_at() - the chain of functions at an instruction
 * @tab: the table
 * @addr: any byte of the instruction; of a call site, the one before the return address
 * @frames: filled in, innermost first; texts stay with @tab
 * @unit: main file of the compilation unit, stays with @tab
 *
 * Return: number of frames, at most KMA_FRAMES_MAX; 0 when no unit covers the address.
 */
unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit);

/**
 * kma_inlines_units() - how many compilation units with code there are
 * @tab: the table
 *
 * Return: how many.
 */
size_t kma_inlines_units(const struct kma_inlines *tab);

/**
 * kma_inlines_kept() - was the table read from the cache?
 * @tab: the table
 *
 * Return: true if it was, false if it was made.
 */
bool kma_inlines_kept(const struct kma_inlines *tab);

/**
 * kma_inlines_lost() - entries that the table could not take
 * @tab: the table
 *
 * Return: how many ranges lie in no section of code, or came from a unit whose split file
 * (.dwo) was not found.
 */
uint64_t kma_inlines_lost(const struct kma_inlines *tab);

/**
 * kma_inlines_missing() - is there debugging information that could not be read?
 * @tab: the table
 *
 * A table of which something is missing is not kept.
 *
 * Return: 0 when all was read; else more, for units whose split file (.dwo) was not found,
 * and for units that are damaged, and with them all behind them.
 */
uint64_t kma_inlines_missing(const struct kma_inlines *tab);

#endif /* KMA_SYMBOL_INLINE_H */

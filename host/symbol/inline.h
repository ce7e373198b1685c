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

/*
 * The table of a file with debugging information, which does not need @image any longer. A stored
 * table is used if its checksum, its version, and the size and build ID of its file are right.
 * Otherwise the table is built, without a message, and stored if that is possible.
 */
struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret);

/* NULL is fine. */
void kma_inlines_destroy(struct kma_inlines *tab);

/*
 * The chain of functions at an instruction, innermost first, by the address of any of its bytes;
 * for a call site, the byte before the return address. @unit is the main file of the compilation
 * unit. Returns the number of frames; 0, and @unit is NULL, if no unit covers the address. Texts
 * are valid as long as @tab.
 */
unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit);

size_t kma_inlines_units(const struct kma_inlines *tab);

/* Was the table read from the cache, and not built? */
bool kma_inlines_kept(const struct kma_inlines *tab);

/*
 * Entries that the table does not contain: ranges that lie in no section of code or are nested too
 * deep, and units that could not be read.
 */
uint64_t kma_inlines_lost(const struct kma_inlines *tab);

/*
 * 0 if all debugging information was read. Otherwise the number of units whose split file (.dwo)
 * was not found, plus one if a corrupt unit hides itself and all units after it. A table with
 * missing parts is not stored: they may be present next time.
 */
uint64_t kma_inlines_missing(const struct kma_inlines *tab);

#endif /* KMA_SYMBOL_INLINE_H */

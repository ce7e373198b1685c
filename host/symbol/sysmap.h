/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysmap.h - symbols of a System.map.
 */
#ifndef KMA_SYMBOL_SYSMAP_H
#define KMA_SYMBOL_SYSMAP_H

#include "symtab.h"

/*
 * Reads a System.map, or a copy of /proc/kallsyms, into a finished table of symbols of code (types
 * t, T, w, W). Debian's /boot/System.map-* is one line that tells where the real file is. Such a
 * file, and any other without symbols, is an error.
 */
struct kma_err *kma_sysmap_read(const char *path, struct kma_symtab **ret);

/*
 * The same for a file that could not be read as an ELF file. If it is not a System.map either,
 * returns @err, the error of that attempt, which is freed otherwise.
 */
struct kma_err *kma_sysmap_try(const char *path, struct kma_err *err, struct kma_symtab **ret);

#endif /* KMA_SYMBOL_SYSMAP_H */

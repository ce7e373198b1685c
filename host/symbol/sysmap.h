/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysmap.h - symbols of a System.map.
 */
#ifndef KMA_SYMBOL_SYSMAP_H
#define KMA_SYMBOL_SYSMAP_H

#include "symtab.h"

/**
 * kma_sysmap_read() - read a System.map, or a copy of /proc/kallsyms
 * @path: the file
 * @ret: a finished table, which has only symbols of code (types t, T, w, W)
 *
 * Debian's /boot/System.map-* is one line that tells where the real file is. Such a file, and any
 * other without symbols, is an error.
 *
 * Return: NULL, or an error that names @path and the line.
 */
struct kma_err *kma_sysmap_read(const char *path, struct kma_symtab **ret);

/**
 * kma_sysmap_try() - read a file that is not an ELF file, if it is a System.map
 * @path: the file
 * @err: the error of reading it as an ELF file; freed unless it is returned
 * @ret: a finished table if NULL is returned
 *
 * Return: NULL; @err if the file is not a System.map either; the error of a System.map that cannot
 * be used.
 */
struct kma_err *kma_sysmap_try(const char *path, struct kma_err *err, struct kma_symtab **ret);

#endif /* KMA_SYMBOL_SYSMAP_H */

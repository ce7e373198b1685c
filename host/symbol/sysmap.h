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
 * @ret: a finished table; only symbols of code (types t, T, w, W) can be found
 *
 * Debian's /boot/System.map-* is one line that says where the real one is; that
 * and any other file without symbols is an error.
 *
 * Return: NULL, or an error that names @path and the line.
 */
struct kma_err *kma_sysmap_read(const char *path, struct kma_symtab **ret);

/**
 * kma_sysmap_try() - read what is no ELF file, in case that it is a System.map
 * @path: the file
 * @err: why it is none; freed when it is not returned
 * @ret: a finished table, when NULL is returned
 *
 * Return: NULL; @err; or of a System.map that is of no use why it is not.
 */
struct kma_err *kma_sysmap_try(const char *path, struct kma_err *err, struct kma_symtab **ret);

#endif /* KMA_SYMBOL_SYSMAP_H */

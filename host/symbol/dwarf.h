/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dwarf.h - a vmlinux or a module with debugging information: its symbols, and
 * the source file that each address was compiled from.
 *
 * All compilation units are walked once into a table of address ranges; only
 * the entry of the unit itself is read, never the tree below it, which makes
 * this a matter of milliseconds where a look-up by scopes takes minutes.
 *
 * Call sites are return addresses. A return address may already belong to the
 * next statement or even to the next function, so what is looked up is the byte
 * before it. kma_dwarf_source() is the one place that does so; callers always
 * give it the address as recorded.
 */
#ifndef KMA_SYMBOL_DWARF_H
#define KMA_SYMBOL_DWARF_H

#include "symtab.h"

struct kma_dwarf;

/**
 * kma_dwarf_create() - open a file and read its symbols and its units
 * @path: vmlinux, or a module (.ko, .ko.xz, .ko.gz)
 * @ret: the file; without debugging information it has symbols only
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_dwarf_create(const char *path, struct kma_dwarf **ret);

/**
 * kma_dwarf_destroy() - free all that was read
 * @dw: from kma_dwarf_create(); NULL is fine
 */
void kma_dwarf_destroy(struct kma_dwarf *dw);

/**
 * kma_dwarf_symtab() - symbols of the file
 * @dw: the file
 *
 * Return: a finished table that stays with @dw.
 */
const struct kma_symtab *kma_dwarf_symtab(const struct kma_dwarf *dw);

/**
 * kma_dwarf_units() - number of compilation units with code
 * @dw: the file
 *
 * Return: how many, 0 when there is no debugging information.
 */
size_t kma_dwarf_units(const struct kma_dwarf *dw);

/**
 * kma_dwarf_release() - release of the kernel in a vmlinux
 * @dw: the file
 *
 * Return: "6.1.0-56-cloud-amd64", or "" when the file does not say.
 */
const char *kma_dwarf_release(const struct kma_dwarf *dw);

/**
 * kma_dwarf_source() - source file of a call
 * @dw: the file
 * @ret_addr: return address of the call, not decremented
 *
 * Return: path relative to the top of the source tree ("fs/ext4/inode.c") that stays with
 * @dw, or NULL when no unit covers the address.
 */
const char *kma_dwarf_source(const struct kma_dwarf *dw, uint64_t ret_addr);

#endif /* KMA_SYMBOL_DWARF_H */

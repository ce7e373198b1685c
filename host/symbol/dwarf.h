/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf.h - a vmlinux or a module with debugging information: its symbols, and for each
 * call the chain of functions and lines that it was compiled from (inline.h).
 *
 * Call sites are return addresses. A return address may already belong to the
 * next statement or even to the next function, so what is looked up is the byte
 * before it. kma_dwarf_call() is the one place that does so; callers always give it the
 * address as recorded.
 */
#ifndef KMA_SYMBOL_DWARF_H
#define KMA_SYMBOL_DWARF_H

#include "inline.h"
#include "symtab.h"

struct kma_dwarf;

/* A call, as the compiler knows it. Texts stay with the file that was asked. */
struct kma_call {
	const char *unit;	/* main file of the compilation unit, NULL: no unit is there */
	unsigned int nr_frames; /* 0 without a unit */
	struct kma_frame frames[KMA_FRAMES_MAX]; /* innermost first */
};

/**
 * kma_dwarf_create() - open a file and read its symbols and its debugging information
 * @path: vmlinux, or a module (.ko, .ko.xz, .ko.gz, .ko.zst)
 * @ret: the file; without debugging information it has symbols only
 *
 * Addresses are those of image.h.
 *
 * Return: NULL, or an error that names @path: also when there is debugging information
 * that libdw cannot read.
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
 * kma_dwarf_is_whole() - test whether all debugging information was read
 * @dw: the file
 *
 * Return: false if some is corrupt, or in split files (.dwo) that were not found.
 */
bool kma_dwarf_is_whole(const struct kma_dwarf *dw);

/**
 * kma_dwarf_release() - release of the kernel in a vmlinux
 * @dw: the file
 *
 * Return: "6.1.0-56-cloud-amd64", or "" when the file does not say.
 */
const char *kma_dwarf_release(const struct kma_dwarf *dw);

/**
 * kma_dwarf_image() - the file itself
 * @dw: the file
 *
 * Return: its build ID, its sections; stays with @dw.
 */
const struct kma_image *kma_dwarf_image(const struct kma_dwarf *dw);

/**
 * kma_dwarf_return() - where a call returns to
 * @dw: the file
 * @ret_addr: return address as it was recorded
 *
 * Return: @ret_addr; in a file with Thumb code without bit 0, which says that it is that.
 */
uint64_t kma_dwarf_return(const struct kma_dwarf *dw, uint64_t ret_addr);

/**
 * kma_dwarf_call() - functions and lines of a call
 * @dw: the file
 * @ret_addr: return address of the call, not decremented
 * @ret: filled in
 *
 * Where the debugging information names no function, between functions and in
 * assembler, it is that of the symbol.
 *
 * Return: false when no unit covers the address.
 */
bool kma_dwarf_call(const struct kma_dwarf *dw, uint64_t ret_addr, struct kma_call *ret);

#endif /* KMA_SYMBOL_DWARF_H */

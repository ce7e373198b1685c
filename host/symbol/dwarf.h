/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf.h - a vmlinux or a module with debugging information: its symbols, and for each call the
 * chain of functions and lines that it was compiled from (inline.h).
 *
 * Call sites are return addresses. A return address may already belong to the next statement, or
 * even to the next function, so the byte before it is looked up. Only kma_dwarf_call() subtracts
 * this byte; callers always pass the address as it was recorded.
 */
#ifndef KMA_SYMBOL_DWARF_H
#define KMA_SYMBOL_DWARF_H

#include "inline.h"
#include "symtab.h"

struct kma_dwarf;

/* The functions and lines of a call. Texts are valid as long as the file (struct kma_dwarf). */
struct kma_call {
	const char *unit;	/* main file of the compilation unit; NULL: in no unit */
	unsigned int nr_frames; /* 0 without a unit */
	struct kma_frame frames[KMA_FRAMES_MAX]; /* innermost first */
};

/**
 * kma_dwarf_create() - open a file and read its symbols and its debugging information
 * @path: vmlinux, or a module (.ko, .ko.xz, .ko.gz, .ko.zst)
 * @ret: the file; without debugging information it has only symbols
 *
 * Addresses are those of image.h.
 *
 * Return: NULL, or an error that names @path. Debugging information that libdw cannot read is an
 * error; missing debugging information is not.
 */
struct kma_err *kma_dwarf_create(const char *path, struct kma_dwarf **ret);

/**
 * kma_dwarf_destroy() - free all that was read
 * @dw: from kma_dwarf_create(); NULL is fine
 */
void kma_dwarf_destroy(struct kma_dwarf *dw);

/**
 * kma_dwarf_symtab() - get the symbols of the file
 * @dw: the file
 *
 * Return: a finished table, valid as long as @dw.
 */
const struct kma_symtab *kma_dwarf_symtab(const struct kma_dwarf *dw);

/**
 * kma_dwarf_units() - get the number of compilation units
 * @dw: the file
 *
 * Return: the number; 0 without debugging information.
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
 * kma_dwarf_release() - get the release of the kernel in a vmlinux
 * @dw: the file
 *
 * Return: "6.1.0-56-cloud-amd64", from linux_banner; "" if the file does not have it.
 */
const char *kma_dwarf_release(const struct kma_dwarf *dw);

/**
 * kma_dwarf_image() - get the ELF file, for its build ID and its sections
 * @dw: the file
 *
 * Return: the ELF file, valid as long as @dw.
 */
const struct kma_image *kma_dwarf_image(const struct kma_dwarf *dw);

/**
 * kma_dwarf_return() - clear the Thumb bit of a return address
 * @dw: the file
 * @ret_addr: return address as it was recorded
 *
 * Return: @ret_addr; without bit 0 if the file has Thumb code, because that bit is not part of the
 * address there.
 */
uint64_t kma_dwarf_return(const struct kma_dwarf *dw, uint64_t ret_addr);

/**
 * kma_dwarf_call() - get the functions and lines of a call
 * @dw: the file
 * @ret_addr: return address of the call, not decremented
 * @ret: filled in
 *
 * If the debugging information names no function (between functions, and in assembler), the
 * function is that of the symbol.
 *
 * Return: false if no unit covers the address.
 */
bool kma_dwarf_call(const struct kma_dwarf *dw, uint64_t ret_addr, struct kma_call *ret);

#endif /* KMA_SYMBOL_DWARF_H */

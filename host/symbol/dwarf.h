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

/*
 * Opens a vmlinux, or a module (.ko, .ko.xz, .ko.gz, .ko.zst). Without debugging information it has
 * only symbols; debugging information that libdw cannot read is an error. Addresses are those of
 * image.h.
 */
struct kma_err *kma_dwarf_create(const char *path, struct kma_dwarf **ret);

/* NULL is fine. */
void kma_dwarf_destroy(struct kma_dwarf *dw);

/* Finished, and valid as long as @dw. */
const struct kma_symtab *kma_dwarf_symtab(const struct kma_dwarf *dw);

/* The number of compilation units; 0 without debugging information. */
size_t kma_dwarf_units(const struct kma_dwarf *dw);

/* False if some debugging information is corrupt, or in split files (.dwo) that were not found. */
bool kma_dwarf_is_whole(const struct kma_dwarf *dw);

/* "6.1.0-56-cloud-amd64", from linux_banner; "" if the file does not have it. */
const char *kma_dwarf_release(const struct kma_dwarf *dw);

/* The ELF file, for its build ID and its sections; valid as long as @dw. */
const struct kma_image *kma_dwarf_image(const struct kma_dwarf *dw);

/*
 * Clears bit 0 of a return address if the file has Thumb code: it is not part of the address there.
 */
uint64_t kma_dwarf_return(const struct kma_dwarf *dw, uint64_t ret_addr);

/*
 * The functions and lines of a call, by its recorded return address. If the debugging information
 * names no function (between functions, and in assembler), the function is that of the symbol.
 * False if no unit covers the address.
 */
bool kma_dwarf_call(const struct kma_dwarf *dw, uint64_t ret_addr, struct kma_call *ret);

#endif /* KMA_SYMBOL_DWARF_H */

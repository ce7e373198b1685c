/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.h - a vmlinux or a module, apart from its symbols: its build ID, the addresses of its code,
 * and whether its debugging information can be read.
 *
 * A module has no addresses before it is loaded. It gets those that the kernel assigns, counted
 * from the address in /proc/modules: sections of code in the order of the file, each aligned
 * (layout_sections() in kernel/module/main.c). Sections that are freed after the module's init
 * function begin at KMA_IMAGE_INIT, an offset that no other code reaches.
 *
 * A compressed file (gz, xz, zst) is decompressed into memory (memfd_create(2)), at most 8 GiB.
 * What functions return is valid as long as the image.
 */
#ifndef KMA_SYMBOL_IMAGE_H
#define KMA_SYMBOL_IMAGE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build-id.h"
#include "lib/err.h"

#define KMA_IMAGE_INIT (1ULL << 30) /* offset of a module's .init sections */
struct Elf;

/* A section of code. */
struct kma_image_text {
	unsigned int index;	    /* of the section in the file */
	uint64_t addr;		    /* address of the first byte; of a module: as described above */
	uint64_t size;		    /* bytes */
	const unsigned char *bytes; /* its code; NULL: the file does not have it (debug packages) */
};

struct kma_image;

/* It is an error if the file cannot be opened, is not an ELF file, or is corrupt. */
struct kma_err *kma_image_open(const char *path, struct kma_image **ret);

/* NULL is fine. */
void kma_image_close(struct kma_image *image);

/*
 * A path that opens the decompressed file. kma_image_name() has the name that was given, for
 * messages.
 */
const char *kma_image_path(const struct kma_image *image);
const char *kma_image_name(const struct kma_image *image);

/*
 * Makes an error that may name kma_image_path() name the file as it was given. NULL is fine.
 * Returns @err.
 */
struct kma_err *kma_image_rename(const struct kma_image *image, struct kma_err *err);

/* Bytes of the decompressed file. */
uint64_t kma_image_size(const struct kma_image *image);

/* Hexadecimal digits; "" if the file has none. */
const char *kma_image_build_id(const struct kma_image *image);

/* The section .BTF of a vmlinux, valid as long as @image; NULL: there is none. */
const void *kma_image_btf(const struct kma_image *image, size_t *len);

/* True for a module or another object file, whose addresses were assigned here. */
bool kma_image_relocatable(const struct kma_image *image);

/*
 * Is there debugging information that libdw can decompress? If libdw does not support its
 * compression, the error says what to do.
 */
struct kma_err *kma_image_dwarf(const struct kma_image *image, bool *have);

/*
 * Checks that libdw has opened the debugging information with @dw, the result of dwarf_begin() or
 * dwarf_begin_elf(): libdw leaves out a section that it cannot decompress, and reports nothing. An
 * error of kind KMA_ERR_DAMAGED if @dw is NULL or has no unit although the file has debugging
 * information.
 */
struct kma_err *kma_image_units(const struct kma_image *image, Dwarf *dw);

/* The sections of code, sorted by address. */
const struct kma_image_text *kma_image_texts(const struct kma_image *image, size_t *nr);

/*
 * The first byte of the largest section of code, in a vmlinux .text, and the byte after it. False
 * if the file has no code.
 */
bool kma_image_main_text(const struct kma_image *image, uint64_t *start, uint64_t *end);

/*
 * The address of a byte of a section. @value is an offset in the section of a module; in a file
 * with addresses it is the address. False if the section is not code.
 */
bool kma_image_place(const struct kma_image *image, unsigned int section, uint64_t value,
		     uint64_t *ret);

/* e_machine of the file. */
unsigned int kma_image_machine(const struct kma_image *image);

/*
 * The byte at an address, which may be the end of a section, with the numbers of bytes of its
 * section before it and from it on. NULL if no code ends at or contains the address, or if the file
 * has no code (debug packages). May be called by several threads.
 */
const unsigned char *kma_image_code(const struct kma_image *image, uint64_t addr, uint64_t *before,
				    uint64_t *after);

/*
 * Can a call return to an address? 1 if the bytes before it may be a call instruction; 0 if not, or
 * if the address is not in code; -1 if unknown, because the file has no code (debug packages) or
 * the machine is not supported.
 */
int kma_image_calls(const struct kma_image *image, uint64_t addr);

#endif /* KMA_SYMBOL_IMAGE_H */

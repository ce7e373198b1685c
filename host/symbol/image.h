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
 * A compressed file is decompressed into memory (memfd_create(2)), at most 8 GiB.
 */
#ifndef KMA_SYMBOL_IMAGE_H
#define KMA_SYMBOL_IMAGE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

#define KMA_IMAGE_INIT	   (1ULL << 30) /* offset of a module's .init sections */
#define KMA_BUILD_ID_MAX   32		/* bytes of a build ID */
#define KMA_BUILD_ID_CHARS (2 * KMA_BUILD_ID_MAX + 1)

struct Elf;

/* A section of code. */
struct kma_image_text {
	unsigned int index;	    /* of the section in the file */
	uint64_t addr;		    /* address of the first byte; of a module: as described above */
	uint64_t size;		    /* bytes */
	const unsigned char *bytes; /* its code; NULL: the file does not have it (debug packages) */
};

struct kma_image;

/**
 * kma_image_open() - open a file and read its table of sections
 * @path: vmlinux or module; a compressed file (gz, xz, zst) is decompressed in memory
 * @ret: the file
 *
 * Return: NULL, or an error that names @path: cannot be opened, not an ELF file, corrupt.
 */
struct kma_err *kma_image_open(const char *path, struct kma_image **ret);

/**
 * kma_image_close() - close the file
 * @image: from kma_image_open(); NULL is fine
 */
void kma_image_close(struct kma_image *image);

/**
 * kma_image_path() - get a path that opens the decompressed file
 * @image: the file
 *
 * Return: the path, valid as long as @image.
 */
const char *kma_image_path(const struct kma_image *image);

/**
 * kma_image_name() - get the name that was given to kma_image_open(), for messages
 * @image: the file
 *
 * Return: the name, valid as long as @image.
 */
const char *kma_image_name(const struct kma_image *image);

/**
 * kma_image_rename() - make an error name the file as it was given
 * @image: the file
 * @err: an error that may name kma_image_path(); NULL is fine
 *
 * Return: @err.
 */
struct kma_err *kma_image_rename(const struct kma_image *image, struct kma_err *err);

/**
 * kma_image_size() - get the size of the decompressed file
 * @image: the file
 *
 * Return: bytes.
 */
uint64_t kma_image_size(const struct kma_image *image);

/**
 * kma_image_build_id() - get the GNU build ID
 * @image: the file
 *
 * Return: hexadecimal digits, valid as long as @image; "" if the file has none.
 */
const char *kma_image_build_id(const struct kma_image *image);

/**
 * kma_image_relocatable() - test for a module or another object file
 * @image: the file
 *
 * Return: true if the addresses were assigned here, as described above.
 */
bool kma_image_relocatable(const struct kma_image *image);

/**
 * kma_image_dwarf() - test whether the debugging information can be read
 * @image: the file
 * @have: true if there is debugging information that libdw can decompress
 *
 * Return: NULL, also if there is none; an error that says what to do if libdw does not support its
 * compression.
 */
struct kma_err *kma_image_dwarf(const struct kma_image *image, bool *have);

/**
 * kma_image_units() - test whether libdw has opened the debugging information
 * @image: the file
 * @dw: result of dwarf_begin() or dwarf_begin_elf() for the file
 *
 * Needed because libdw leaves out a section that it cannot decompress, and reports nothing.
 *
 * Return: NULL; or an error of kind KMA_ERR_DAMAGED if @dw is NULL or has no unit although the file
 * has debugging information.
 */
struct kma_err *kma_image_units(const struct kma_image *image, Dwarf *dw);

/**
 * kma_image_texts() - get the sections of code
 * @image: the file
 * @nr: number of sections
 *
 * Return: an array sorted by address, valid as long as @image.
 */
const struct kma_image_text *kma_image_texts(const struct kma_image *image, size_t *nr);

/**
 * kma_image_main_text() - find the largest section of code
 * @image: a vmlinux, where this is .text
 * @start: address of its first byte
 * @end: address after its last byte
 *
 * Return: false if the file has no code.
 */
bool kma_image_main_text(const struct kma_image *image, uint64_t *start, uint64_t *end);

/**
 * kma_image_place() - get the address of a byte of a section
 * @image: the file
 * @section: index of the section
 * @value: offset in the section of a module; in a file with addresses the address
 * @ret: the address; of a module: as described above
 *
 * Return: false if the section is not code.
 */
bool kma_image_place(const struct kma_image *image, unsigned int section, uint64_t value,
		     uint64_t *ret);

/* The machine of the file (e_machine). */
unsigned int kma_image_machine(const struct kma_image *image);

/**
 * kma_image_code() - get the bytes of the code around an address
 * @image: the file
 * @addr: address, or the end of a section; of a module: as described above
 * @before: bytes of its section before @addr
 * @after: bytes of its section from @addr on
 *
 * Return: the byte at @addr, valid as long as @image; NULL if no code ends at or contains the address,
 * or if the file has no code (debug packages). May be called by several threads.
 */
const unsigned char *kma_image_code(const struct kma_image *image, uint64_t addr, uint64_t *before,
				    uint64_t *after);

/**
 * kma_image_calls() - test whether a call can return to an address
 * @image: the file
 * @addr: address; of a module: as described above
 *
 * Return: 1 if the bytes before the address may be a call instruction; 0 if not, or if the address
 * is not in code; -1 if unknown, because the file has no code (debug packages) or the machine is
 * not supported.
 */
int kma_image_calls(const struct kma_image *image, uint64_t addr);

#endif /* KMA_SYMBOL_IMAGE_H */

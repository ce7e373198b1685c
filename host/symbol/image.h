/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.h - what is to be known of a vmlinux or a module before its symbols: which build
 * it is, where its code lies, and whether its debugging information can be read.
 *
 * A module has no addresses before it is loaded. It gets the ones that the kernel gives
 * it, counted from the address in /proc/modules: sections of code in the order of the
 * file, aligned (layout_sections() in kernel/module/main.c). What is dropped after the
 * module's init lies from KMA_IMAGE_INIT on, which no other code reaches.
 */
#ifndef KMA_SYMBOL_IMAGE_H
#define KMA_SYMBOL_IMAGE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

#define KMA_IMAGE_INIT	   (1ULL << 30)
#define KMA_BUILD_ID_MAX   32
#define KMA_BUILD_ID_CHARS (2 * KMA_BUILD_ID_MAX + 1)

struct Elf;

/* A section of code. */
struct kma_image_text {
	unsigned int index; /* of the section in the file */
	uint64_t addr;	    /* first byte, as laid out */
	uint64_t size;	    /* bytes */
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
 * kma_image_close() - close it
 * @image: from kma_image_open(); NULL is fine
 */
void kma_image_close(struct kma_image *image);

/**
 * kma_image_path() - a name that opens the unpacked file
 * @image: the file
 *
 * Return: text that stays with @image.
 */
const char *kma_image_path(const struct kma_image *image);

/**
 * kma_image_name() - the name that was given, for messages
 * @image: the file
 *
 * Return: text that stays with @image.
 */
const char *kma_image_name(const struct kma_image *image);

/**
 * kma_image_rename() - have an error name the file as it was given
 * @image: the file
 * @err: an error that may name what kma_image_path() does; NULL is fine
 *
 * Return: @err.
 */
struct kma_err *kma_image_rename(const struct kma_image *image, struct kma_err *err);

/**
 * kma_image_size() - bytes of the unpacked file
 * @image: the file
 *
 * Return: bytes.
 */
uint64_t kma_image_size(const struct kma_image *image);

/**
 * kma_image_build_id() - GNU build ID
 * @image: the file
 *
 * Return: hex digits that stay with @image, "" when it has none.
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
 * kma_image_dwarf() - can its debugging information be read?
 * @image: the file
 * @have: there is some
 *
 * Return: NULL; or an error that says what to do when libdw cannot read how it is packed.
 */
struct kma_err *kma_image_dwarf(const struct kma_image *image, bool *have);

/**
 * kma_image_units() - was its debugging information opened, and can it be read?
 * @image: the file
 * @dw: what dwarf_begin() or dwarf_begin_elf() returned for it
 *
 * libdw leaves out a section that cannot be decompressed, and reports nothing.
 *
 * Return: NULL; or an error of the kind KMA_ERR_DAMAGED.
 */
struct kma_err *kma_image_units(const struct kma_image *image, Dwarf *dw);

/**
 * kma_image_texts() - sections of code
 * @image: the file
 * @nr: how many
 *
 * Return: an array by address that stays with @image.
 */
const struct kma_image_text *kma_image_texts(const struct kma_image *image, size_t *nr);

/**
 * kma_image_main_text() - find the largest section of code
 * @image: the file
 * @start: its first byte
 * @end: the byte behind its last one
 *
 * Sections that are freed after boot do not count.
 *
 * Return: false when there is none.
 */
bool kma_image_main_text(const struct kma_image *image, uint64_t *start, uint64_t *end);

/**
 * kma_image_place() - address of a byte of a section
 * @image: the file
 * @section: index of the section
 * @value: offset in it; of a file with addresses the address
 * @ret: address, as laid out
 *
 * Return: false when the section holds no code.
 */
bool kma_image_place(const struct kma_image *image, unsigned int section, uint64_t value,
		     uint64_t *ret);

/**
 * kma_image_calls() - test whether a call can return to an address
 * @image: the file
 * @addr: address, as laid out
 *
 * Return: 1 if a call precedes the address; 0 if not; -1 if unknown, because the file has no code
 * (debug packages) or the machine is not supported.
 */
int kma_image_calls(const struct kma_image *image, uint64_t addr);

#endif /* KMA_SYMBOL_IMAGE_H */

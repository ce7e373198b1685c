/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf.h - symbols of code in an ELF file (vmlinux, a module, an object).
 */
#ifndef KMA_SYMBOL_ELF_H
#define KMA_SYMBOL_ELF_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

/* One symbol in an executable section of a file. */
struct kma_elf_symbol {
	const char *name;     /* valid during the call only */
	uint64_t value;	      /* address; in a relocatable file offset in its section */
	uint64_t size;	      /* bytes, st_size; may be 0 */
	unsigned int section; /* index of its section in the file */
};

/* Called for one symbol; an error ends the walk. */
typedef struct kma_err *(*kma_elf_symbol_fn)(void *arg, const struct kma_elf_symbol *symbol);

/* Properties of the file. */
struct kma_elf_info {
	bool relocatable; /* an object or a module (ET_REL) */
	bool has_dwarf;	  /* has a section .debug_info */
	bool thumb;	  /* ARM with Thumb code; known after the last symbol */
	char banner[128]; /* "6.1.0-56-cloud-amd64" from linux_banner; "" if not found */
};

/* Called for the end of one executable section. */
typedef struct kma_err *(*kma_elf_end_fn)(void *arg, uint64_t addr);

/**
 * kma_elf_walk() - call a function for all symbols in executable sections
 * @path: the file
 * @info: filled in
 * @symbol: called for each symbol of a function and each label without a type
 * @end: called for the end address of each executable section with an address, or NULL
 * @arg: passed to @symbol and @end
 *
 * Return: NULL, or an error that names @path if it is not an ELF file.
 */
struct kma_err *kma_elf_walk(const char *path, struct kma_elf_info *info, kma_elf_symbol_fn symbol,
			     kma_elf_end_fn end, void *arg);

/**
 * kma_elf_refuse() - say why libelf does not take a file
 * @fd: the open file
 * @path: its name
 *
 * Return: an error: of kind KMA_ERR_OTHER_FORMAT, or KMA_ERR_DAMAGED if the file begins as ELF
 * files do.
 */
struct kma_err *kma_elf_refuse(int fd, const char *path);

struct Elf;

/**
 * kma_elf_is_truncated() - is the table of sections behind the end of the file?
 * @elf: from libelf, which reports no sections then
 * @size: of the file
 *
 * Return: true if so.
 */
bool kma_elf_is_truncated(struct Elf *elf, uint64_t size);

/**
 * kma_elf_truncated() - say that a file has less than its header tells
 * @path: its name
 *
 * Return: an error of kind KMA_ERR_DAMAGED.
 */
struct kma_err *kma_elf_truncated(const char *path);

#endif /* KMA_SYMBOL_ELF_H */

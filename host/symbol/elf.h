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

/*
 * Calls @symbol for each symbol of a function and each label without a type in executable sections,
 * and @end, unless it is NULL, for the end of each executable section with an address.
 */
struct kma_err *kma_elf_walk(const char *path, struct kma_elf_info *info, kma_elf_symbol_fn symbol,
			     kma_elf_end_fn end, void *arg);

/*
 * The error that libelf does not take an open file: of kind KMA_ERR_OTHER_FORMAT, or
 * KMA_ERR_DAMAGED if the file begins as ELF files do.
 */
struct kma_err *kma_elf_refuse(int fd, const char *path);

struct Elf;

/*
 * Is the table of sections after the end of a file of @size bytes? libelf reports no sections then.
 */
bool kma_elf_is_truncated(struct Elf *elf, uint64_t size);

/* The error for that, of kind KMA_ERR_DAMAGED. */
struct kma_err *kma_elf_truncated(const char *path);

#endif /* KMA_SYMBOL_ELF_H */

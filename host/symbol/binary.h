/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * binary.h - what of an ELF file takes memory: its allocated sections, and the symbols
 * in them. Any class and byte order; objects, modules and images alike.
 *
 * Names and bytes point into the file, which stays mapped until kma_binary_close().
 * Handles are not shared between threads; each thread may have its own.
 */
#ifndef KMA_SYMBOL_BINARY_H
#define KMA_SYMBOL_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* Index of the section that common symbols are said to be in. */
#define KMA_COMMON UINT32_MAX

/* One section with SHF_ALLOC. */
struct kma_binary_section {
	const char *name;
	uint64_t addr; /* 0 in objects */
	uint64_t size;
	uint64_t align; /* a power of two, at least 1 */
	uint64_t entsize;
	uint32_t index; /* in the file */
	bool exec;	/* code */
	bool write;	/* not read-only */
	bool merge;	/* constants that the linker may share between files */
	bool strings;	/* these end in a zero */
	bool nobits;	/* zeros, not in the file */
	bool relocated; /* has relocations, so it is not merged */
	bool unwind;	/* ARM's index of unwinding: ld drops entries that repeat the last */
};

/* One symbol that is defined, or common. */
struct kma_binary_symbol {
	const char *name;
	uint64_t value; /* address; in an object offset in its section, of a common one: its alignment */
	uint64_t size;
	uint32_t section; /* index in the file, 0 for an absolute one, or KMA_COMMON */
	uint32_t unit;	  /* of a local one: which of the file's units, 0: none is told */
	bool local;
	bool weak;
	bool func;   /* STT_FUNC or an indirect one */
	bool object; /* STT_OBJECT or TLS */
};

/* Objects that hold no code yet. */
enum kma_lto { KMA_LTO_NONE, KMA_LTO_LLVM, KMA_LTO_GCC };

struct kma_binary {
	bool relocatable; /* ET_REL */
	bool big_endian;
	bool wide;   /* of 64 bits */
	bool x86_64; /* of 64 bits */
	bool arm;    /* of 32 bits, where bit 0 of a function's address says which code it is */
	enum kma_lto lto;
	bool lld; /* .comment says that LLVM's linker made it */
	struct kma_binary_section *sections;
	size_t nr_sections;
	struct kma_binary_symbol *symbols; /* when asked for; in the order of the file */
	size_t nr_symbols;
	const char **units; /* with symbols: names of STT_FILE; that of unit 1 is the first */
	size_t nr_units;
	struct kma_binary_file *file;
};

/**
 * kma_binary_open() - read the headers of a file
 * @dir: file descriptor of a folder that @path begins at, or AT_FDCWD
 * @path: the file
 * @symbols: read these as well; else only common symbols are known, by their sum
 * @ret: the file; LLVM bitcode has no sections and @lto set
 *
 * Common symbols appear as one section more, "COMMON", as in a linker's map.
 *
 * Return: NULL, or an error that names @path: not readable, no ELF file, damaged.
 */
struct kma_err *kma_binary_open(int dir, const char *path, bool symbols, struct kma_binary **ret);

/**
 * kma_binary_module_len() - length of a module's name in the name of its file
 * @file: without directories, such as ext4.ko.xz or ext4.ko.debug
 *
 * Return: bytes before the suffix; 0 if this is not the file of a module.
 */
size_t kma_binary_module_len(const char *file);

/**
 * kma_binary_close() - forget it
 * @bin: from kma_binary_open(); NULL is fine
 */
void kma_binary_close(struct kma_binary *bin);

/**
 * kma_binary_bytes() - what a section holds in the file
 * @bin: the file
 * @section: one of its sections
 *
 * Return: @section->size bytes that stay with @bin; NULL for zeros and damaged files.
 */
const unsigned char *kma_binary_bytes(const struct kma_binary *bin,
				      const struct kma_binary_section *section);

#endif /* KMA_SYMBOL_BINARY_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * binary.h - the parts of an ELF file that take memory: its allocated sections, and the symbols in
 * them. Any class and byte order is supported; objects, modules and linked images are read alike.
 *
 * Only headers are read, and symbols on request. The content of a section is read when it is asked
 * for. Names and bytes point into the file, which stays open until kma_binary_close().
 *
 * Common symbols have no section in the file. They appear as one more section, "COMMON", as in a
 * linker's map. Objects made for link-time optimisation have no code yet; @lto tells them.
 *
 * Locking: none. A handle must not be used by two threads; each thread may have its own.
 */
#ifndef KMA_SYMBOL_BINARY_H
#define KMA_SYMBOL_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* Index of the section "COMMON", which holds the common symbols. */
#define KMA_COMMON UINT32_MAX

/* One section with SHF_ALLOC. */
struct kma_binary_section {
	const char *name;
	uint64_t addr;	/* address of the first byte; 0 in objects */
	uint64_t size;	/* bytes */
	uint64_t align; /* bytes, a power of two, at least 1 */
	uint32_t index; /* in the file's table of sections */
	bool exec;	/* code */
	bool write;	/* not read-only */
	bool merge;	/* constants that the linker may share between files */
	bool strings;	/* the constants are strings that end with a zero */
	bool nobits;	/* zeros that the file does not contain */
};

/* One symbol that is defined, or is a common symbol. */
struct kma_binary_symbol {
	const char *name;
	uint64_t value;	  /* address; in an object offset in the section; if common: alignment */
	uint64_t size;	  /* bytes; 0: the symbol has no size */
	uint32_t section; /* index in the file's table, 0 for an absolute one, or KMA_COMMON */
	uint32_t unit;	  /* of a local one: number of its unit, from 1; 0: unknown */
	bool local;
	bool weak;
	bool func;   /* a function, STT_FUNC or STT_GNU_IFUNC */
	bool object; /* a variable, STT_OBJECT or STT_TLS */
};

/* The compiler of an object for link-time optimisation, which has no code yet. */
enum kma_lto { KMA_LTO_NONE, KMA_LTO_LLVM, KMA_LTO_GCC };

struct kma_binary {
	bool relocatable; /* an object or a module (ET_REL) */
	bool big_endian;
	bool wide;   /* 64 bits */
	bool x86_64; /* x86-64, 64 bits */
	bool arm;    /* ARM, 32 bits: bit 0 of a function's address means Thumb code */
	enum kma_lto lto;
	struct kma_binary_section *sections;
	size_t nr_sections;
	struct kma_binary_symbol *symbols; /* if requested, in the order of the file */
	size_t nr_symbols;
	const char **units; /* with the symbols: names of STT_FILE; unit 1 is units[0] */
	size_t nr_units;
	struct kma_binary_file *file;
};

/*
 * Reads the headers of a file relative to directory @dir or AT_FDCWD. @symbols: read the symbols,
 * too; otherwise only the sum of the common ones is known. LLVM bitcode has no sections, and its
 * @lto is set. It is an error if the file cannot be read, is not an ELF file, or is corrupt.
 */
struct kma_err *kma_binary_open(int dir, const char *path, bool symbols, struct kma_binary **ret);

/*
 * Bytes before the suffix in the name of a module's file, without directories, such as ext4.ko.xz
 * or ext4.ko.debug; 0 if the name is not that of a module.
 */
size_t kma_binary_module_len(const char *file);

/* NULL is fine. */
void kma_binary_close(struct kma_binary *bin);

/*
 * The content of a section, valid until kma_binary_close(); NULL if the file does not contain it,
 * or is corrupt.
 */
const unsigned char *kma_binary_bytes(const struct kma_binary *bin,
				      const struct kma_binary_section *section);

#endif /* KMA_SYMBOL_BINARY_H */

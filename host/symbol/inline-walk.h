/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-walk.h - results of walking the debugging information, before they become one table.
 *
 * A walker is one thread's work. inline-walk.c walks a unit and appends what it finds to the
 * walker's lists; inline-build.c merges the lists of all threads. Addresses in the lists
 * already count from the base of the table, in 32 bits. Frames are numbered per walker.
 */
#ifndef KMA_SYMBOL_INLINE_WALK_H
#define KMA_SYMBOL_INLINE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "inline-table.h"
#include "lib/texts.h"

/* A range of addresses that a frame covers; nested ranges may cover parts of it again. */
struct kma_span {
	uint32_t start;
	uint32_t end;	/* address after the last byte */
	uint32_t frame; /* number of the frame in this walker */
	uint32_t order; /* nesting depth in the upper 8 bits, number of the unit in the lower 24 */
};

/* A row of a table of lines. */
struct kma_line {
	uint32_t start; /* address of the row */
	uint32_t file;	/* number of the file in kma_walk.files */
	uint32_t line;	/* 0: unknown */
};

/* Rows without a gap between them. */
struct kma_sequence {
	uint32_t start;
	uint32_t end;		      /* address after the last byte */
	size_t first;		      /* index of the first row in the walker's lines */
	size_t nr;		      /* number of rows */
	const struct kma_line *lines; /* the first row, set when all walkers have ended */
};

/* A section of code: maps its addresses in the debugging information to those of the table. */
struct kma_walk_place {
	uint64_t from; /* address of its first byte in the debugging information */
	uint64_t size; /* bytes */
	uint64_t to;   /* address of its first byte, from the base of the table */
};

/* Arrays that grow. */
struct kma_spans {
	struct kma_span *list;
	size_t nr, alloc;
};

struct kma_frames {
	struct kma_inlines_frame *list;
	size_t nr, alloc;
};

struct kma_lines {
	struct kma_line *list;
	size_t nr, alloc;
};

struct kma_sequences {
	struct kma_sequence *list;
	size_t nr, alloc;
};

/* Data that all walkers share. The texts have a lock; the rest does not change. */
struct kma_walk {
	const struct kma_walk_place *places;
	size_t nr_places;
	struct kma_texts names; /* of functions */
	struct kma_texts files; /* of files, as in DWARF, but without the build directory */
};

/* Entries of the two caches below; powers of 2. */
#define KMA_WALK_NAMES	 4096
#define KMA_WALK_ENTRIES 65536

/* One thread's work. */
struct kma_walker {
	struct kma_walk *walk;
	struct kma_spans spans;
	struct kma_frames frames;
	struct kma_lines lines;
	struct kma_sequences sequences;
	const struct kma_walk_place *hint; /* section of the last address */
	uint64_t lost;	/* ranges outside all sections of code, and entries nested too deep */
	uint64_t units; /* units that were walked */
	/* state of the current unit */
	uint32_t unit;	 /* its number */
	const char *dir; /* its build directory, or NULL */
	Dwarf_Files *dwarf_files;
	size_t nr_files;
	/*
	 * Two direct-mapped caches: libdw returns the same pointer to a name, and the same entry,
	 * many times. They are valid only for one handle of libdw.
	 */
	struct {
		const char *name;
		uint32_t file;
	} by_name[KMA_WALK_NAMES];
	struct {
		const void *entry; /* first byte of the entry; offsets are not unique with .dwo */
		uint32_t name;
	} by_entry[KMA_WALK_ENTRIES];
};

/**
 * kma_walk_unit() - walk one compilation unit
 * @walker: results are added to its lists
 * @unit: number of the unit
 * @die: its entry
 * @split: entry of its split part (.dwo), or the same as @die
 */
void kma_walk_unit(struct kma_walker *walker, uint32_t unit, Dwarf_Die *die, Dwarf_Die *split);

/**
 * kma_walk_begin() - prepare for another handle of libdw
 * @walker: its caches are emptied: they identify names and entries by pointers
 */
void kma_walk_begin(struct kma_walker *walker);

/**
 * kma_walker_sort() - sort the ranges by address
 * @walker: has walked all of its units
 *
 * The sort keeps the order of ranges with equal starts. A nested range comes later in a unit, and
 * so after its enclosing range.
 */
void kma_walker_sort(struct kma_walker *walker);

/**
 * kma_walker_deinit() - free the lists
 * @walker: zeroed before its first use
 */
void kma_walker_deinit(struct kma_walker *walker);

#endif /* KMA_SYMBOL_INLINE_WALK_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-walk.h - what the walk over the debugging information finds, before it is one
 * table: for inline-walk.c, which walks a unit, and inline-build.c, which has threads
 * walk all of them and puts together what they found.
 */
#ifndef KMA_SYMBOL_INLINE_WALK_H
#define KMA_SYMBOL_INLINE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "inline-table.h"
#include "texts.h"

/* A range of addresses that a frame covers; others inside of it may cover it again. */
struct kma_span {
	uint32_t start;
	uint32_t end;
	uint32_t frame; /* of this walker */
	uint32_t order; /* depth, then number of the unit: what lies above what */
};

/* A row of a table of lines. */
struct kma_line {
	uint32_t start;
	uint32_t file; /* of the files, or none: the end of a sequence */
	uint32_t line;
};

/* Rows without a gap between them. */
struct kma_sequence {
	uint32_t start;
	uint32_t end;
	size_t first; /* row */
	size_t nr;
	const struct kma_line *lines; /* set when all are known */
};

/* How addresses of the debugging information become ours. */
struct kma_walk_place {
	uint64_t from;
	uint64_t size;
	uint64_t to; /* counted from the base of the table */
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

/* What all walkers share; the texts have a lock, the rest does not change. */
struct kma_walk {
	const struct kma_walk_place *places;
	size_t nr_places;
	struct kma_texts names;
	struct kma_texts files; /* names as DWARF has them, but for the build directory */
};

/* Powers of 2. */
#define KMA_WALK_NAMES	 4096
#define KMA_WALK_ENTRIES 65536

/* One thread's work. */
struct kma_walker {
	struct kma_walk *walk;
	struct kma_spans spans;
	struct kma_frames frames;
	struct kma_lines lines;
	struct kma_sequences sequences;
	const struct kma_walk_place *hint; /* where the last address was */
	uint64_t lost;
	uint64_t missing; /* units whose .dwo was not found, and ends that were none */
	uint64_t units;
	uint32_t next; /* number of the unit to walk next, which is its own */
	bool done;     /* there is none of that number */
	/* of the unit */
	uint32_t unit;
	const char *dir;
	Dwarf_Files *dwarf_files;
	size_t nr_files;
	/* The same pointer or entry is looked up repeatedly for its name. */
	struct {
		const char *name;
		uint32_t file;
	} by_name[KMA_WALK_NAMES];
	struct {
		const void *entry; /* its first byte: offsets are those of one file of several */
		uint32_t name;
	} by_entry[KMA_WALK_ENTRIES];
};

/**
 * kma_walk_unit() - walk one compilation unit
 * @walker: what is found is added to
 * @unit: its number
 * @die: its entry
 * @split: entry of its split part (.dwo), or the same as @die
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_walk_unit(struct kma_walker *walker, uint32_t unit, Dwarf_Die *die,
			      Dwarf_Die *split);

/**
 * kma_walk_is_cut() - test for unreadable data after the last unit
 * @dw: the file; for a corrupt file, libdw reports that there are no more units
 * @last: entry of the last unit that it has, or zeroed: then there is nothing behind it
 *
 * Return: true if there is.
 */
bool kma_walk_is_cut(Dwarf *dw, Dwarf_Die *last);

/**
 * kma_walker_sort() - put ranges in order
 * @walker: has walked all of its units
 *
 * The order is by address. A nested range comes later in a unit, and so after its enclosing range.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_walker_sort(struct kma_walker *walker);

/**
 * kma_walker_deinit() - free what was found
 * @walker: zeroed before its first use
 */
void kma_walker_deinit(struct kma_walker *walker);

#endif /* KMA_SYMBOL_INLINE_WALK_H */

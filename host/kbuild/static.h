/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * static.h - the static sizes of a kernel's objects in memory. Every byte of a section that takes
 * memory is counted once, in the object that it was compiled into:
 *
 *	init	freed after boot: .init*, *.init, and .exit* of the kernel proper
 *	bss	zeroed data that is not in the file, and common symbols
 *	text	code
 *	rodata	.rodata*, and constants that may be merged
 *	data	other writable data
 *	other	read-only data of other kinds: symbols for modules, unwinding, exception tables, notes
 *
 * The first that fits counts. Objects are not linked yet: merged strings, discarded
 * sections and alignment make vmlinux differ from their sum; linked.h says by how much.
 *
 * Locking: kma_static_read() has threads of its own. Each takes the next object by an
 * atomic counter and writes to that object's place alone; names go to an arena of the
 * thread. They are joined before it returns.
 */
#ifndef KMA_KBUILD_STATIC_H
#define KMA_KBUILD_STATIC_H

#include "lib/notes.h"
#include "model/metric.h"
#include "objects.h"
#include "symbol/binary.h"

/* Row of the bytes between sections of the image. */
#define KMA_STATIC_ALIGNMENT "[alignment]"

/* One section of an object. */
struct kma_static_section {
	const char *name;
	uint64_t size;
	uint64_t linked;	 /* bytes in the linked image; all bytes until the image was read */
	uint64_t merged;	 /* bytes shared with other objects; the rest was discarded */
	enum kma_metric_id kind; /* KMA_TEXT to KMA_OTHER */
	int output;		 /* place in the sections of the image; -1: in none */
	uint32_t align;
	uint32_t entsize;
	uint32_t rank;	  /* of its place in the script of the linker */
	uint64_t padding; /* before it in the image, for it is aligned */
	bool strings;	  /* entries end in a zero */
	bool exec;	  /* code */
	/* contents of constants that the linker may merge, if requested; else NULL */
	const unsigned char *bytes;
	const unsigned char *unwind; /* the same of ARM's index of unwinding */
};

/* A part of a section with one owner, as in pieces.h. */
struct kma_static_piece {
	const char *name;
	uint64_t size;
	uint32_t section; /* place in the sections of the object */
	bool local;
	bool section_name;
};

struct kma_static_object {
	const struct kma_object *object;     /* path, source, module */
	struct kma_static_section *sections; /* that take memory */
	size_t nr_sections;
	struct kma_static_piece *pieces; /* when asked for */
	size_t nr_pieces;
	enum kma_lto lto;
	bool big_endian;
	bool unreadable;
};

/* How it went. */
struct kma_static_stats {
	size_t objects;	      /* that were counted */
	size_t lto;	      /* of @objects: not compiled yet, so their code is in no object */
	struct kma_gaps gaps; /* objects that are missing or corrupt, and not in the sums */
};

struct kma_static {
	struct kma_static_object *objects; /* in the order of the list */
	size_t nr;
	struct kma_static_stats stats;
	struct kma_arena *arenas; /* of the threads */
	size_t nr_arenas;
};

/* The data to read in addition to the sections. */
enum {
	KMA_STATIC_PIECES = 1 << 0, /* cut them at their symbols */
	KMA_STATIC_BYTES = 1 << 1,  /* read the contents of constants that the linker may merge */
};

/**
 * kma_static_kind() - what a section is counted as
 * @section: a section
 * @module: it is of a module, which keeps .exit as long as it is there
 *
 * Return: KMA_TEXT, KMA_RODATA, KMA_DATA, KMA_BSS, KMA_INIT or KMA_OTHER.
 */
enum kma_metric_id kma_static_kind(const struct kma_binary_section *section, bool module);

/**
 * kma_static_values() - static bytes of one object
 * @path: the object
 * @module: it belongs to a module
 * @ret: text, rodata, data, bss, init and other are set, all else is 0
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_static_values(const char *path, bool module, struct kma_values *ret);

/**
 * kma_static_read() - read the sections of all objects
 * @objects: the objects, which have to stay
 * @flags: KMA_STATIC_*
 * @ret: what they hold
 *
 * An object that cannot be read is counted in the gaps and is not an error.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_static_read(const struct kma_objects *objects, unsigned int flags,
				struct kma_static **ret);

/**
 * kma_static_destroy() - forget them
 * @st: from kma_static_read(); NULL is fine
 */
void kma_static_destroy(struct kma_static *st);

/**
 * kma_static_section_values() - numbers of a section
 * @section: of an object
 * @ret: what is linked of it, by its kind, and what is not; all else is 0
 */
void kma_static_section_values(const struct kma_static_section *section, struct kma_values *ret);

/**
 * kma_static_alignment() - the row that has what alignment costs before an object
 * @object: the object
 *
 * Return: "fs/[alignment]" of one that was compiled from fs/super.c, to be freed; NULL
 * without memory.
 */
char *kma_static_alignment(const struct kma_object *object);

#endif /* KMA_KBUILD_STATIC_H */

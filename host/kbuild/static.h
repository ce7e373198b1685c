/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * static.h - the static sizes of a kernel's objects in memory. Every byte of a section that takes
 * memory is counted once, in the object that it was compiled into, as the first of these kinds that
 * fits:
 *
 *	init	freed after boot: .init*, *.init, and .exit* of the kernel proper
 *	bss	zeroed data that is not in the file, and common symbols
 *	text	code
 *	rodata	.rodata*, and constants that may be merged
 *	data	other writable data
 *	other	read-only data of other kinds: symbols for modules, unwinding, exception tables,
 *		notes
 *
 * The objects are not linked: merged strings, discarded sections and alignment make vmlinux differ
 * from their sum. image/linked.h says by how much.
 *
 * Locking: kma_static_read() starts threads, at most 16. Each takes the next object by an atomic
 * counter and writes only to that object's element; names go to an arena of the thread. The threads
 * are joined before the function returns.
 */
#ifndef KMA_KBUILD_STATIC_H
#define KMA_KBUILD_STATIC_H

#include "lib/notes.h"
#include "model/metric.h"
#include "objects.h"
#include "symbol/binary.h"

/* Row for the bytes between sections of the image. */
#define KMA_STATIC_ALIGNMENT "[alignment]"

/* One section of an object. */
struct kma_static_section {
	const char *name;
	uint64_t size;		 /* bytes in the object */
	uint64_t linked;	 /* bytes in the linked image; all bytes until the image was read */
	uint64_t merged;	 /* bytes shared with other objects; the rest was discarded */
	enum kma_metric_id kind; /* KMA_TEXT to KMA_OTHER */
	int output;		 /* index in the sections of the image; -1: in none */
	uint32_t align;		 /* bytes */
	uint64_t padding;	 /* bytes before it in the image, for its alignment */
};

/* A part of a section with one owner, as in pieces.h. */
struct kma_static_piece {
	const char *name;
	uint64_t size;
	uint32_t section; /* index in the sections of the object */
	bool local;
	bool section_name;
};

struct kma_static_object {
	const struct kma_object *object;     /* path, source, module */
	struct kma_static_section *sections; /* sections that take memory */
	size_t nr_sections;
	struct kma_static_piece *pieces; /* if requested */
	size_t nr_pieces;
	enum kma_lto lto; /* the object has no code yet */
	bool unreadable;  /* it is counted in the gaps, and all else is empty */
};

/* Counts of the objects. */
struct kma_static_stats {
	size_t objects;	      /* objects that were read */
	size_t lto;	      /* of these, not compiled yet: their code is in no object */
	struct kma_gaps gaps; /* objects that are missing or corrupt, and not in the sums */
};

struct kma_static {
	struct kma_static_object *objects; /* in the order of kma_objects_list() */
	size_t nr;
	struct kma_static_stats stats;
	struct kma_arena *arenas; /* one for each thread, with the names */
	size_t nr_arenas;
};

/* The kind of a section, KMA_TEXT to KMA_OTHER. A module keeps .exit while it is loaded. */
enum kma_metric_id kma_static_kind(const struct kma_binary_section *section, bool module);

/*
 * Reads the sections of all objects, which must outlive @ret. @pieces: also cut the sections at
 * their symbols. An object that cannot be read is a gap, not an error.
 */
struct kma_err *kma_static_read(const struct kma_objects *objects, bool pieces,
				struct kma_static **ret);

void kma_static_destroy(struct kma_static *st);

/* Sets the linked bytes by kind, and merged and discarded ones; everything else is 0. */
void kma_static_section_values(const struct kma_static_section *section, struct kma_values *ret);

/*
 * The row for the padding before an object, "fs/[alignment]" for one compiled from fs/super.c, for
 * free(3).
 */
char *kma_static_alignment(const struct kma_object *object);

#endif /* KMA_KBUILD_STATIC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-table.h - the bytes of a table of inlines, for the files that build, store and search it:
 * inline-build.c, inline.c. Documentation/format/inlines.rst describes it, too.
 *
 * A header is followed by arrays ("parts"). Two of them form the index of functions: ascending
 * addresses, and for each the innermost frame from there up to the next address. A frame links to
 * the frame it was inlined into, so the chain of an address takes one binary search and a walk of
 * a list. Three other arrays form the index of lines in the same way. Addresses have 32 bits and
 * count from the header's base, so the code of a file may span up to 4 GiB.
 *
 * The bytes are the same in memory and in the cache file.
 */
#ifndef KMA_SYMBOL_INLINE_TABLE_H
#define KMA_SYMBOL_INLINE_TABLE_H

#include "image.h"

#define KMA_INLINES_MAGIC   "KMAINLNS"
#define KMA_INLINES_VERSION 2
#define KMA_INLINES_ORDER   0x01020304 /* in the byte order of the machine that wrote the table */
#define KMA_INLINES_NONE    UINT32_MAX /* no frame, no file */

/* The parts, in the order of the table. Each begins at a multiple of 8 bytes. */
enum kma_inlines_part {
	KMA_PART_SPAN_START, /* ascending addresses at which the innermost frame changes */
	KMA_PART_SPAN_FRAME, /* number of the innermost frame from there on, or NONE */
	KMA_PART_FRAMES,     /* struct kma_inlines_frame, by number of the frame */
	KMA_PART_LINE_START, /* ascending addresses at which the line changes */
	KMA_PART_LINE_FILE,  /* number of the file of the line from there on, or NONE */
	KMA_PART_LINE,	     /* number of that line; 0: unknown */
	KMA_PART_FILES,	     /* by number of the file: offset of its name in KMA_PART_TEXT */
	KMA_PART_TEXT,	     /* texts, each ends with a NUL; the first one is empty */
	KMA_NR_PARTS,
};

/* A function, or a function that was inlined at one place. */
struct kma_inlines_frame {
	uint32_t name;	 /* offset in KMA_PART_TEXT */
	uint32_t parent; /* number of the frame it was inlined into; NONE: a function or a unit */
	uint32_t file;	 /* number of the file with the call; of a function: the unit's main file */
	uint32_t line;	 /* line of the call; 0: unknown, or a function */
};

struct kma_inlines_header {
	char magic[8];
	uint32_t version;
	uint32_t order;
	uint64_t hash;	 /* XXH3, 64 bits, of all bytes that follow this member */
	uint64_t size;	 /* bytes of the table, including the header */
	uint64_t source; /* bytes of the file that the table was built from */
	char build_id[KMA_BUILD_ID_CHARS + 7]; /* of that file, followed by zeros */
	uint64_t base;			       /* address that all addresses count from */
	uint64_t lost;			       /* see kma_inlines_lost() */
	uint64_t units;			       /* compilation units */
	struct {
		uint64_t at; /* bytes from the start of the header */
		uint64_t nr; /* number of elements */
	} parts[KMA_NR_PARTS];
};

/* Bytes of an element of each part. */
extern const unsigned char kma_inlines_width[KMA_NR_PARTS];

struct kma_inlines {
	const struct kma_inlines_header *hdr;
	size_t mapped;	  /* bytes of the mapped cache file; 0: @hdr is from malloc() */
	uint64_t missing; /* see kma_inlines_missing(); 0 for a table from the cache */
};

/*
 * Do the header and the parts of a table fit together, within @size bytes? The elements of the
 * parts are not tested; inline.c checks each number when it uses it. False if a part extends beyond
 * @size, texts do not end with a NUL, or parts that belong together differ in length.
 */
bool kma_inlines_sound(const struct kma_inlines_header *hdr, size_t size);

#endif /* KMA_SYMBOL_INLINE_TABLE_H */

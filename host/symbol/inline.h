/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline.h - the source line of an instruction, and the functions that were inlined there: the
 * answers of addr2line -i, from a table.
 *
 * The table is built by one walk over all entries of the debugging information (inline-build.c).
 * It is then kept in the cache directory under the file's build ID (inline.c). The bytes in
 * memory and in the file are the same: arrays of 32-bit numbers that are searched
 * in place. Opening a stored table therefore costs a mapping and a checksum, and a look-up two
 * binary searches. Addresses are those of image.h.
 *
 * A finished table never changes, so several threads may search it.
 */
#ifndef KMA_SYMBOL_INLINE_H
#define KMA_SYMBOL_INLINE_H

#include "image.h"
#include "inline-frame.h"

struct kma_inlines;

/*
 * The table of a file with debugging information, which does not need @image any longer. A stored
 * table is used if its checksum, its version, and the size and build ID of its file are right.
 * Otherwise the table is built, without a message, and stored if that is possible.
 */
struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret);

/* NULL is fine. */
void kma_inlines_destroy(struct kma_inlines *tab);

/*
 * The chain of functions at an instruction, innermost first, by the address of any of its bytes;
 * for a call site, the byte before the return address. @unit is the main file of the compilation
 * unit. Returns the number of frames; 0, and @unit is NULL, if no unit covers the address. Texts
 * are valid as long as @tab.
 */
unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit);

size_t kma_inlines_units(const struct kma_inlines *tab);

/*
 * 0 if all debugging information was read. Otherwise the number of units whose split file (.dwo)
 * was not found, plus one if a corrupt unit hides itself and all units after it. A table with
 * missing parts is not stored: they may be present next time.
 */
uint64_t kma_inlines_missing(const struct kma_inlines *tab);

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
	/* ranges in no section of code or nested too deep, and units that could not be read */
	uint64_t lost;
	uint64_t units; /* compilation units */
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

#endif /* KMA_SYMBOL_INLINE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inline-table.h - the bytes of a table of inlines, for the files that make it, keep it
 * and read it: inline-build.c, inline-cache.c, inline.c.
 */
#ifndef KMA_SYMBOL_INLINE_TABLE_H
#define KMA_SYMBOL_INLINE_TABLE_H

#include "image.h"

#define KMA_INLINES_MAGIC   "KMAINLNS"
#define KMA_INLINES_VERSION 2
#define KMA_INLINES_ORDER   0x01020304 /* as this machine writes it */
#define KMA_INLINES_NONE    UINT32_MAX

/* The arrays, in the order of the file; each begins at a multiple of 8. */
enum kma_inlines_part {
	KMA_PART_SPAN_START, /* addresses from which on another frame holds, ascending */
	KMA_PART_SPAN_FRAME, /* the innermost frame there, or none */
	KMA_PART_FRAMES,     /* struct kma_inlines_frame */
	KMA_PART_LINE_START, /* addresses from which on another line holds, ascending */
	KMA_PART_LINE_FILE,  /* its file, or none */
	KMA_PART_LINE,	     /* its number, 0: not known */
	KMA_PART_FILES,	     /* names of files, places in KMA_PART_TEXT */
	KMA_PART_TEXT,	     /* texts, each terminated; the first is empty */
	KMA_NR_PARTS,
};

/* A function that is there, or that was inlined there. */
struct kma_inlines_frame {
	uint32_t name;	 /* in KMA_PART_TEXT */
	uint32_t parent; /* the frame that it was inlined into; none: it is a function */
	uint32_t file;	 /* where the parent calls it; of a function the unit's main file */
	uint32_t line;	 /* of the call, 0: not known; 0 of a function */
};

struct kma_inlines_header {
	char magic[8];
	uint32_t version;
	uint32_t order;
	uint64_t hash;	 /* XXH3, 64 bits, of all bytes behind this member */
	uint64_t size;	 /* of all bytes, with the header */
	uint64_t source; /* size of the file that it was made of */
	char build_id[KMA_BUILD_ID_CHARS + 7];
	uint64_t base; /* what is added to the addresses */
	uint64_t lost;
	uint64_t units;
	struct {
		uint64_t at; /* from the beginning of the header */
		uint64_t nr; /* of elements */
	} parts[KMA_NR_PARTS];
};

/* Bytes of an element of each part. */
extern const unsigned char kma_inlines_width[KMA_NR_PARTS];

struct kma_inlines {
	const struct kma_inlines_header *hdr;
	size_t mapped;	  /* bytes, when it was read from the cache; 0: it is of malloc() */
	uint64_t missing; /* see kma_inlines_missing(); 0 in the cache */
};

/**
 * kma_inlines_sound() - do header and parts fit together?
 * @hdr: the table
 * @size: bytes that there are
 *
 * Return: false when a part reaches beyond @size, or texts do not end. What is in the
 * parts is checked when it is used.
 */
bool kma_inlines_sound(const struct kma_inlines_header *hdr, size_t size);

#endif /* KMA_SYMBOL_INLINE_TABLE_H */

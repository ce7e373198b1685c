/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * constants.h - compute which constants a linker keeps of sections that may be merged (SHF_MERGE).
 *
 * The linker merges sections as one group if they have the same output section, size of an entry,
 * alignment and flags. Of equal entries it keeps the first. GNU ld also drops a string that is the
 * end of another ("fs" of "ext4fs"); LLVM's linker does so only at -O2, which is not modelled here.
 *
 * GNU ld 2.41 ("Faster string merging", 1a528d3ef07f) treats each zero between aligned strings as
 * an empty string of its own, with the alignment of its offset. Earlier versions skip these zeros.
 * Since 2.41, a group whose strings differ in alignment is sorted only by the ends of the strings;
 * a group in which all have one alignment, first by the length modulo the alignment. So
 * "12345678fs", "8fs" and "fs", aligned by 8, take 20 bytes with ld 2.40, which finds "fs" in
 * the first string, and 27 bytes with 2.41, where "8fs" is the neighbour of "fs".
 */
#ifndef KMA_IMAGE_CONSTANTS_H
#define KMA_IMAGE_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kma_constants;

/* How a linker merges. */
enum kma_constants_linker {
	KMA_LINKER_LLD,	    /* LLVM's: equal entries only */
	KMA_LINKER_LD,	    /* GNU ld up to 2.40 */
	KMA_LINKER_LD_2_41, /* GNU ld from 2.41 on */
};

/* A section to be merged. */
struct kma_constants_section {
	const unsigned char *bytes; /* contents; have to live until kma_constants_finish() */
	uint64_t size;		    /* bytes */
	uint64_t entsize;	    /* bytes of an entry, of a character if strings */
	uint64_t align;		    /* bytes, a power of two */
	bool strings;		    /* entries are strings that end in a zero */
	int output;		    /* section of the image */
	uint64_t *kept;		    /* kma_constants_finish() sets it to the bytes that are kept */
};

/**
 * kma_constants_create() - start without sections
 * @linker: the linker that made the image
 *
 * Return: the state, to be freed by kma_constants_destroy().
 */
struct kma_constants *kma_constants_create(enum kma_constants_linker linker);

/**
 * kma_constants_add() - add a section
 * @cst: the state
 * @section: the section, in the order of linking
 *
 * A section that ld does not merge is kept whole: its size is not a multiple of the entry size, the
 * entries do not fit the alignment, or the last string has no end.
 */
void kma_constants_add(struct kma_constants *cst, const struct kma_constants_section *section);

/**
 * kma_constants_finish() - compute how many bytes of each section are kept
 * @cst: the state; no section may be added after this
 */
void kma_constants_finish(struct kma_constants *cst);

/* Free the state. */
void kma_constants_destroy(struct kma_constants *cst);

#endif /* KMA_IMAGE_CONSTANTS_H */

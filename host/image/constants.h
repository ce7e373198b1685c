/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * constants.h - which constants a linker keeps of sections that may be merged (SHF_MERGE).
 *
 * Sections are put together if output, size of an entry, alignment and flags are the
 * same. Of equal entries the first is kept; a string is not kept that ends another ("fs"
 * in "ext4fs"), as GNU ld does, and LLVM's at -O2 only.
 *
 * GNU ld 2.41 ("Faster string merging", 1a528d3ef07f) takes each zero between aligned
 * strings as an empty string of its own, with the alignment that its offset has. Before, ld
 * skipped these zeros. A group whose strings differ in alignment is sorted by their ends
 * alone; one in which all are aligned alike, by the length modulo the alignment first. So
 * "12345678fs", "8fs" and "fs", aligned by 8, take 20 bytes with ld 2.40, which finds "fs" in
 * the first, and 27 bytes with 2.41: "8fs" then is the neighbour of "fs".
 */
#ifndef KMA_IMAGE_CONSTANTS_H
#define KMA_IMAGE_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_constants;

/* How a linker merges. */
enum kma_constants_linker {
	KMA_LINKER_LLD,	    /* LLVM's: no ends of other strings */
	KMA_LINKER_LD,	    /* GNU ld up to 2.40 */
	KMA_LINKER_LD_2_41, /* GNU ld from 2.41 on */
};

/* A section to be merged. */
struct kma_constants_section {
	const unsigned char *bytes; /* have to stay until kma_constants_finish() */
	uint64_t size;
	uint64_t entsize;
	uint64_t align;
	bool strings;
	int output;
	uint64_t *kept; /* filled in by kma_constants_finish() */
};

/**
 * kma_constants_create() - no sections
 * @linker: the linker that made the image
 * @ret: the state
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_constants_create(enum kma_constants_linker linker, struct kma_constants **ret);

/**
 * kma_constants_add() - add a section
 * @cst: the state
 * @section: the section; it is not changed if its size is not a multiple of the entry size
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_constants_add(struct kma_constants *cst,
				  const struct kma_constants_section *section);

/**
 * kma_constants_finish() - how many bytes of each section are kept
 * @cst: the state
 */
void kma_constants_finish(struct kma_constants *cst);

/**
 * kma_constants_destroy() - forget all
 * @cst: from kma_constants_create(); NULL is fine
 */
void kma_constants_destroy(struct kma_constants *cst);

#endif /* KMA_IMAGE_CONSTANTS_H */

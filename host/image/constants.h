/* SPDX-License-Identifier: GPL-2.0 */
/*
 * constants.h - which constants a linker keeps of sections that may be merged (SHF_MERGE).
 *
 * Sections are put together if output, size of an entry, alignment and flags are the
 * same. Of equal entries the first is kept; with tails, a string is not kept that ends
 * another ("fs" in "ext4fs"), as GNU ld does, and LLVM's at -O2 only.
 */
#ifndef KMA_IMAGE_CONSTANTS_H
#define KMA_IMAGE_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_constants;

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
 * @tails: strings that end others are not kept
 * @ret: the state
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_constants_create(bool tails, struct kma_constants **ret);

/**
 * kma_constants_add() - one section more
 * @cst: the state
 * @section: the section; one whose size is no number of whole entries is kept as it is
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

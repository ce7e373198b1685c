/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holdings.h - what each source file holds of each section of a linked kernel or a module:
 * one block of bytes, the same in memory and in the cache, where it is kept by build ID.
 *
 * A holding is the bytes of one name (a symbol, or a section in brackets) in one section,
 * owned by one file. The holdings of a section add up to its size. They are sorted by file
 * and then by section.
 *
 * Numbers are those of the machine that wrote the block. A block of another byte order,
 * another version or another file is ignored and made again; so the format is no contract.
 */
#ifndef KMA_IMAGE_HOLDINGS_H
#define KMA_IMAGE_HOLDINGS_H

#include "model/metric.h"
#include "symbol/binary.h"
#include "symbol/image.h"

#define KMA_HOLDINGS_MAGIC   "KMAHOLDS"
#define KMA_HOLDINGS_VERSION 1
#define KMA_HOLDINGS_ORDER   0x01020304

/* A section that takes memory. */
struct kma_holdings_section {
	uint64_t size;
	uint32_t name; /* place in the texts */
	uint32_t kind; /* enum kma_metric_id: KMA_TEXT to KMA_OTHER */
	uint32_t flags;
	uint32_t align;
};

/* Flags of a section. */
enum {
	KMA_HOLDINGS_EXEC = 1 << 0,
	KMA_HOLDINGS_LOCAL = 1 << 1,	    /* of a holding: its symbol is local */
	KMA_HOLDINGS_SECTION_NAME = 1 << 2, /* of a holding: its name is its section's */
};

struct kma_holding {
	uint64_t size;	  /* bytes, more than 0 */
	uint32_t file;	  /* its name, place in the texts: "fs/exec.c", or "[...]" without a file */
	uint32_t section; /* number of the section */
	uint32_t name;	  /* place in the texts */
	uint32_t flags;
};

struct kma_holdings {
	char magic[8];
	uint32_t version;
	uint32_t order;
	uint64_t hash;	  /* XXH3, 64 bits, of all bytes after this member */
	uint64_t size;	  /* of all bytes, with this header */
	uint64_t source;  /* size of the file that it was made of */
	uint64_t missing; /* units that could not be read; 0 in the cache */
	char build_id[KMA_BUILD_ID_CHARS + 7];
	char release[128]; /* of the kernel, "" when not known */
	uint64_t nr_sections;
	uint64_t nr_holdings;
	uint64_t nr_texts; /* bytes of texts, each terminated; the first is empty */
};

/**
 * kma_holdings_sections() - the sections
 * @holdings: the block
 *
 * Return: an array of @holdings->nr_sections, in the order of the file.
 */
static inline const struct kma_holdings_section *
kma_holdings_sections(const struct kma_holdings *holdings)
{
	return (const void *)(holdings + 1);
}

/**
 * kma_holdings_list() - the holdings
 * @holdings: the block
 *
 * Return: an array of @holdings->nr_holdings.
 */
static inline const struct kma_holding *kma_holdings_list(const struct kma_holdings *holdings)
{
	return (const void *)(kma_holdings_sections(holdings) + holdings->nr_sections);
}

/**
 * kma_holdings_text() - a text
 * @holdings: the block
 * @at: its place in the texts
 *
 * Return: the text, which stays with @holdings.
 */
static inline const char *kma_holdings_text(const struct kma_holdings *holdings, uint32_t at)
{
	return (const char *)(kma_holdings_list(holdings) + holdings->nr_holdings) + at;
}

/**
 * kma_holdings_load() - map a block that was kept
 * @image: the file that it shall be of
 * @ret_mapped: bytes, to unmap it
 *
 * Return: the block; NULL when there is none that is right in every way.
 */
const struct kma_holdings *kma_holdings_load(const struct kma_image *image, size_t *ret_mapped);

/**
 * kma_holdings_keep() - keep a block for later
 * @holdings: the block; its hash is set
 *
 * A block of which something is missing is not kept.
 */
void kma_holdings_keep(struct kma_holdings *holdings);

#endif /* KMA_IMAGE_HOLDINGS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * holdings.h - the bytes of each source file in each section of a linked kernel or a module.
 *
 * They take long to compute (assign.h), so the result is stored in the cache under the build ID of
 * the file. It is one block, which has the same form in memory and in the cache:
 *
 *	struct kma_holdings		header
 *	struct kma_holdings_section[]	24 bytes each, in the order of the file
 *	struct kma_holding[]		24 bytes each, sorted by file, then section, then name
 *	texts				each with its zero; offset 0 is the empty text
 *
 * A holding is the bytes of one name (a symbol, or a section in brackets) in one section, owned by
 * one file. The holdings of a section add up to its size.
 *
 * Numbers have the byte order of the machine that wrote the block. A block of another byte order,
 * another version or another file, or whose hash or references are wrong, is ignored and computed
 * again. The format is therefore not a contract between versions.
 */
#ifndef KMA_IMAGE_HOLDINGS_H
#define KMA_IMAGE_HOLDINGS_H

#include "model/metric.h"
#include "symbol/binary.h"
#include "symbol/image.h"

#define KMA_HOLDINGS_MAGIC   "KMAHOLDS"
#define KMA_HOLDINGS_VERSION 3
#define KMA_HOLDINGS_ORDER   0x01020304

/* A section that takes memory. */
struct kma_holdings_section {
	uint64_t size;	/* bytes */
	uint32_t name;	/* offset in the texts */
	uint32_t kind;	/* enum kma_metric_id: KMA_TEXT to KMA_OTHER */
	uint32_t flags; /* KMA_HOLDINGS_EXEC, or 0 */
	uint32_t align; /* bytes */
};

/* Flags of a section and of a holding. */
enum {
	KMA_HOLDINGS_EXEC = 1 << 0,	    /* of a section: it has code */
	KMA_HOLDINGS_LOCAL = 1 << 1,	    /* of a holding: its symbol is local */
	KMA_HOLDINGS_SECTION_NAME = 1 << 2, /* of a holding: its name is its section's */
};

struct kma_holding {
	uint64_t size;	  /* bytes, more than 0 */
	uint32_t file;	  /* offset in the texts: "fs/exec.c", or "[...]" without a file */
	uint32_t section; /* index of the section */
	uint32_t name;	  /* offset in the texts */
	uint32_t flags;	  /* KMA_HOLDINGS_LOCAL | KMA_HOLDINGS_SECTION_NAME */
};

/* The header of a block. */
struct kma_holdings {
	char magic[8];	  /* KMA_HOLDINGS_MAGIC, without a zero */
	uint32_t version; /* KMA_HOLDINGS_VERSION */
	uint32_t order;	  /* KMA_HOLDINGS_ORDER, to recognise another byte order */
	uint64_t hash;	  /* XXH3, 64 bits, of all bytes after this member */
	uint64_t size;	  /* bytes of the block, with this header */
	uint64_t source;  /* size in bytes of the file from which it was computed */
	uint64_t missing; /* compilation units that could not be read; 0 in the cache */
	char build_id[KMA_BUILD_ID_CHARS + 7]; /* of the file, in hex */
	char release[128];		       /* of the kernel, "" when unknown */
	uint64_t nr_sections;
	uint64_t nr_holdings;
	uint64_t nr_texts; /* bytes of texts, each terminated; the first is empty */
};

/**
 * kma_holdings_sections() - get the sections of a block
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
 * kma_holdings_list() - get the holdings of a block
 * @holdings: the block
 *
 * Return: an array of @holdings->nr_holdings.
 */
static inline const struct kma_holding *kma_holdings_list(const struct kma_holdings *holdings)
{
	return (const void *)(kma_holdings_sections(holdings) + holdings->nr_sections);
}

/**
 * kma_holdings_text() - get a text of a block
 * @holdings: the block
 * @at: offset in the texts
 *
 * Return: the text, which belongs to @holdings.
 */
static inline const char *kma_holdings_text(const struct kma_holdings *holdings, uint32_t at)
{
	return (const char *)(kma_holdings_list(holdings) + holdings->nr_holdings) + at;
}

/**
 * kma_holdings_load() - map the block of a file from the cache
 * @image: the file
 * @ret_mapped: bytes of the mapping; the caller frees it by munmap()
 *
 * Return: the block; NULL if the cache has none for this file, or one that is not valid.
 */
const struct kma_holdings *kma_holdings_load(const struct kma_image *image, size_t *ret_mapped);

/**
 * kma_holdings_keep() - store a block in the cache
 * @holdings: the block; its hash is set
 *
 * A block for which some compilation units could not be read is not stored. A cache that cannot be
 * written is not an error.
 */
void kma_holdings_keep(struct kma_holdings *holdings);

#endif /* KMA_IMAGE_HOLDINGS_H */

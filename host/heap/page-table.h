/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-table.h - the page tables of a kernel: x86-64 with four and five levels, arm64 with pages of
 * 4,
 * 16 and 64 KiB.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_PAGE_TABLE_H
#define KMA_HEAP_PAGE_TABLE_H

#include "memory.h"

/* The form of page tables. */
struct kma_page_table_form {
	const char *symbol;	 /* the kernel's name of the table of the highest level */
	unsigned int page_shift; /* of the smallest page; a table has as many bytes */
	unsigned int top_shift;	 /* of an address, in the highest level */
	unsigned int top_bits;	 /* of an index, in the highest level */
	bool arm;
};

/* Where nothing is mapped. */
#define KMA_PAGE_TABLE_NONE UINT64_MAX

struct kma_page_table {
	const struct kma_page_table_form *form;
	uint64_t top;	    /* where the table of the highest level can be read */
	uint64_t base;	    /* added to the physical address of another table, to read it */
	uint64_t encrypted; /* bit in entries that is not of an address; 0: none */
};

/* The form of x86-64, with four or five levels. */
const struct kma_page_table_form *kma_page_table_x86(bool five);

/*
 * Sets the form of page tables whose @top and @base are filled in. @symbol is the kernel's name of
 * the table of the highest level. @words reads at @top, and at addresses above @base. False if no
 * known form leads from @addr to its physical address, which is known.
 */
bool kma_page_table_find(struct kma_page_table *table, const char *symbol,
			 const struct kma_words *words, uint64_t addr, uint64_t physical);

/*
 * The physical address of the KMA_HEAP_PAGE bytes that are mapped at an address;
 * KMA_PAGE_TABLE_NONE.
 */
uint64_t kma_page_table_walk(const struct kma_page_table *table, const struct kma_words *words,
			     uint64_t addr);

#endif /* KMA_HEAP_PAGE_TABLE_H */

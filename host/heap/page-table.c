// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-table.c - walk along the page tables of a kernel.
 *
 * An entry has eight bytes; bit 0 says that it is in use. x86-64: bit 7 makes an entry above the last
 * level a page of 2 MiB or 1 GiB (Intel's manual, volume 3, 4.5). arm64: bit 1 is set in an entry that
 * leads to a table, and in one of the last level (Arm's manual DDI 0487, D8.3). With pages of 64 KiB its
 * bits 12 to 15 are bits 48 to 51 of the address; bits 50 and up of any entry are attributes.
 *
 * Which form an arm64 kernel has depends on its configuration and on the machine: with tables for 52
 * bits on a CPU that has 48, the highest level is left out, or only the end of its table is used. So all
 * forms are tried with an address whose physical address is known, and with others behind it.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "page-table.h"

#define KMA_X86_TOP   "init_top_pgt"
#define KMA_X86_LARGE 0x80 /* a page of 2 MiB or 1 GiB */
#define KMA_X86_GIB   30   /* the highest level that can have pages */
#define KMA_ARM_TOP   "swapper_pg_dir"
#define KMA_ARM_TABLE 2 /* leads to a table, or is a page of the last level */
#define KMA_ARM_64K   16

/* Distances in the direct map, as powers of two, at which a form is tried: 4 KiB to 4 GiB. */
#define FIRST_PROBED 12
#define LAST_PROBED  33

/* A wrong form leads to nothing, or to another physical address. */
static const struct kma_page_table_form forms[] = {
	{ KMA_X86_TOP, 12, 39, 9, false }, /* 48 bits */
	{ KMA_X86_TOP, 12, 48, 9, false }, /* 57 */
	{ KMA_ARM_TOP, 12, 39, 9, true },  /* 48 bits; 52 on a CPU without LPA2 */
	{ KMA_ARM_TOP, 12, 30, 9, true },  /* 39 */
	{ KMA_ARM_TOP, 12, 48, 4, true },  /* 52, LPA2 */
	{ KMA_ARM_TOP, 16, 42, 6, true },  /* 48 */
	{ KMA_ARM_TOP, 16, 42, 10, true }, /* 52 */
	{ KMA_ARM_TOP, 16, 29, 13, true }, /* 42 */
	{ KMA_ARM_TOP, 14, 36, 11, true }, /* 47; 48 and 52, on a CPU without LPA2 */
	{ KMA_ARM_TOP, 14, 47, 1, true },  /* 48 */
	{ KMA_ARM_TOP, 14, 47, 5, true },  /* 52, LPA2 */
};

const struct kma_page_table_form *kma_page_table_x86(bool five)
{
	return &forms[five];
}

/* The physical address in an entry. */
static uint64_t page_table_address(const struct kma_page_table *table, uint64_t entry)
{
	const struct kma_page_table_form *form = table->form;
	uint64_t page = entry & ~((UINT64_C(1) << form->page_shift) - 1) & ~table->encrypted;

	if (!form->arm)
		return page & UINT64_C(0x000fffffffffffff);
	if (form->page_shift == KMA_ARM_64K)
		return (page & UINT64_C(0x0000ffffffffffff)) | (entry & 0xf000) << 36;
	return page & UINT64_C(0x0003ffffffffffff);
}

/* Is an entry in use a page, and not another table? */
static bool page_table_is_page(const struct kma_page_table_form *form, unsigned int shift,
			       uint64_t entry)
{
	if (shift == form->page_shift)
		return true;
	return form->arm ? !(entry & KMA_ARM_TABLE) : shift <= KMA_X86_GIB && entry & KMA_X86_LARGE;
}

uint64_t kma_page_table_walk(const struct kma_page_table *table, const struct kma_words *words,
			     uint64_t addr)
{
	const struct kma_page_table_form *form = table->form;
	unsigned int bits = form->top_bits, shift = form->top_shift;
	uint64_t at = table->top, entry, mask;

	for (;; bits = form->page_shift - 3, shift -= bits) {
		uint64_t index = addr >> shift & ((UINT64_C(1) << bits) - 1);

		if (!words->word(words->arg, at + 8 * index, &entry) || !(entry & 1))
			return KMA_PAGE_TABLE_NONE;
		if (page_table_is_page(form, shift, entry))
			break;
		at = table->base + page_table_address(table, entry);
	}
	mask = (UINT64_C(1) << shift) - 1;
	return (page_table_address(table, entry) & ~mask) +
	       (addr & mask & ~(uint64_t)(KMA_HEAP_PAGE - 1));
}

/*
 * How well a form fits: the addresses in the direct map that it leads to their physical ones, less
 * those that it leads astray. One address is not enough: the first one of the direct map has the
 * index 0 in each level of several forms.
 */
static int page_table_fits(const struct kma_page_table *table, const struct kma_words *words,
			   uint64_t addr, uint64_t physical)
{
	int fits = 0;

	for (unsigned int bit = FIRST_PROBED; bit < LAST_PROBED; bit++) {
		uint64_t at = kma_page_table_walk(table, words, addr + (UINT64_C(1) << bit));

		if (at != KMA_PAGE_TABLE_NONE)
			fits += at == physical + (UINT64_C(1) << bit) ? 1 : -1;
	}
	return fits;
}

bool kma_page_table_find(struct kma_page_table *table, const char *symbol,
			 const struct kma_words *words, uint64_t addr, uint64_t physical)
{
	const struct kma_page_table_form *best = NULL;
	int most = 0;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		int fits;

		table->form = &forms[i];
		if (strcmp(forms[i].symbol, symbol) != 0 ||
		    kma_page_table_walk(table, words, addr) != physical)
			continue;
		fits = page_table_fits(table, words, addr, physical);
		if (!best || fits > most) {
			best = &forms[i];
			most = fits;
		}
	}
	table->form = best;
	return best;
}

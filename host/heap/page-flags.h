/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page-flags.h - what the pages of a kernel in a dump hold, by the kernel's table of them.
 *
 * Locking: none; kma_page_flags is not changed after kma_page_flags_init().
 */
#ifndef KMA_HEAP_PAGE_FLAGS_H
#define KMA_HEAP_PAGE_FLAGS_H

#include "dump-file.h"
#include "frames.h"

/* What is known of a page: a set. */
#define KMA_PAGE_IS_ABSENT   1U /* the kernel has no such page, or it is not to be read */
#define KMA_PAGE_IS_SKIPPED  2U /* free, of a process, or of the page cache */
#define KMA_PAGE_IS_SLAB     4U
#define KMA_PAGE_IS_RESERVED 8U

/* Where the table is, and the numbers of flags; -1: the kernel has no such flag. */
struct kma_page_flags {
	struct kma_frame_table frames;
	uint64_t flags, mapping, type, head, count, order, dtor;   /* offsets of its members */
	int64_t lru, slab, poisoned, reserved, head_mask;	   /* bits */
	int64_t is_buddy, is_offline, is_slab, is_huge, huge_dtor; /* types */
	unsigned int orders;					   /* of free blocks */
};

/* Finds the table by VMCOREINFO; the error names what that lacks. */
struct kma_err *kma_page_flags_init(struct kma_page_flags *flags, const struct kma_dump_file *file);

/* What a page holds: a set of KMA_PAGE_IS_*. */
unsigned int kma_page_flags_get(const struct kma_page_flags *flags, const struct kma_words *words,
				uint64_t pfn);

/* Is a page of the table a tail of a larger one? */
bool kma_page_flags_tail(const struct kma_page_flags *flags, const struct kma_words *words,
			 uint64_t pfn);

#endif /* KMA_HEAP_PAGE_FLAGS_H */

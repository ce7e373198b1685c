/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames.h - where a kernel has the struct page of a page frame, by its VMCOREINFO.
 *
 * The table of pages is divided into sections (mm/sparse.c of the kernel). Each has the address at
 * which the page of frame number 0 would be.
 *
 * Locking: none; struct kma_frame_table is not changed after kma_frames_init().
 */
#ifndef KMA_HEAP_FRAMES_H
#define KMA_HEAP_FRAMES_H

#include "memory.h"

struct kma_frame_table {
	uint64_t roots, nr_roots;   /* address and length of the first level of the sections */
	uint64_t section_size;	    /* bytes of struct mem_section */
	uint64_t section_map;	    /* offset of its member */
	uint64_t page;		    /* bytes of a page of the kernel */
	uint64_t page_size;	    /* bytes of struct page */
	unsigned int section_shift; /* of a page frame number */
};

/* Read the number of a line "KEY=NUMBER" of VMCOREINFO; false without it. */
bool kma_vmcoreinfo_number(const char *info, const char *key, int base, uint64_t *ret);

/*
 * @page: bytes of a page of the kernel; @path: names the source of @info in an error, which says
 * what VMCOREINFO lacks, or that its sizes are impossible.
 */
struct kma_err *kma_frames_init(struct kma_frame_table *frames, const char *info, uint64_t page,
				const char *path);

/* Address of the struct page of a frame; 0 if the kernel has none. */
uint64_t kma_frames_page(const struct kma_frame_table *frames, const struct kma_words *words,
			 uint64_t pfn);

#endif /* KMA_HEAP_FRAMES_H */

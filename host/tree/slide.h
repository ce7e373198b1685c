/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slide.h - how far KASLR has moved the kernel, by its addresses alone.
 *
 * A call site is where a call returns to, so before it there is a call. For the right
 * distance that holds for all addresses in the kernel's text, for a wrong one for some 4 of
 * 100. The kernel moves by multiples of an alignment, and its text is small, so there are
 * only a few distances to try for each address.
 */
#ifndef KMA_TREE_SLIDE_H
#define KMA_TREE_SLIDE_H

#include "source.h"

/**
 * kma_slide_find() - find the shift by KASLR of addresses without symbols
 * @account: finished
 * @source: of a kernel whose code can be read
 * @ret: the distance; 0 if there is none or it is unknown
 *
 * A distance is returned only if at least eight addresses are in the text, nine of ten of these
 * return from a call, and no other distance has half as many.
 *
 * Return: true if there is a distance.
 */
bool kma_slide_find(const struct kma_account *account, const struct kma_source *source,
		    uint64_t *ret);

#endif /* KMA_TREE_SLIDE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slide.h - find how far KASLR has moved a kernel, from addresses without symbols.
 *
 * Old logs have call sites as bare addresses. KASLR shifted all of them by one distance, which is
 * unknown. A call site is a return address, so the instruction before it is a call. At the right
 * distance this holds for all addresses in the kernel's text, at a wrong one for about 4 of 100.
 * The kernel moves by multiples of an alignment and its text is small, so each address allows only
 * a few distances. The first alignment that gives a clear answer is used.
 *
 * The answer needs no build ID and no debugging information, only the code of vmlinux, and only on
 * x86 and arm64 (kma_source_ops.calls). In doubt there is no answer; a distance is never guessed.
 */
#ifndef KMA_TREE_SLIDE_H
#define KMA_TREE_SLIDE_H

#include "source.h"

/*
 * Sets @ret to the bytes by which addresses of the account are above those of the source; false,
 * and 0, if unknown. The distance is accepted only if at least eight addresses follow a call, if
 * these are nine tenths of the addresses that are in any symbol, and if every other distance has
 * fewer than half as many.
 */
bool kma_slide_find(const struct kma_account *account, const struct kma_source *source,
		    uint64_t *ret);

#endif /* KMA_TREE_SLIDE_H */

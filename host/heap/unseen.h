/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unseen.h - call sites whose objects are held in a way that a scan cannot see: by a physical
 * address, a page and an offset, or a pointer in memory that a scan does not read.
 *
 * Locking: none; no data are shared.
 */
#ifndef KMA_HEAP_UNSEEN_H
#define KMA_HEAP_UNSEEN_H

struct kma_unseen {
	const char *function; /* of the call site, as the compiler left it */
	const char *module;   /* which may be built in */
	const char *how;      /* the objects are held: "by ..." */
	const char *source; /* lines of the kernel that encode the reference, with their versions */
	const char *mark;   /* what the kernel tells kmemleak about it; "" for nothing */
};

/* The row in which these objects are shown. */
#define KMA_UNSEEN_ROW "[held in a way that a scan cannot see]"

/*
 * How the objects of a call site, "function+0x10/0x40" or "function+0x10/0x40 [module]", are held;
 * NULL if a scan sees its references.
 */
const struct kma_unseen *kma_unseen_find(const char *caller);

#endif /* KMA_HEAP_UNSEEN_H */
